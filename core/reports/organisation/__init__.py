"""What an organisation's repositories lock, as one report in every form."""
