"""Results that must stay the same to the last bit."""
