"""Plans and runs audits, and puts together what they need."""
