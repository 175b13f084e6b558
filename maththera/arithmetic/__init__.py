"""Problems, their W-score and place on the curriculum ladder, the problem bank, and the malrules: pure arithmetic."""
