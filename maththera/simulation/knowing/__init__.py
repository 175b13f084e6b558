"""What the tutor knows and teaches, measured on children who share nothing with it: `maththera simulate knowing`."""
