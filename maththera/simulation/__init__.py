"""Simulated children with a known defect, and measurements of the tutor on them."""
