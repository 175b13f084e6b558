"""Simulated children whose defect is known, and what the tutor makes of them."""
