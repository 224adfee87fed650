"""JSON schemas of what is read and written; ``rankscape schema`` prints them."""
