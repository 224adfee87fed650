"""Pages of the reference that are written when the documentation is built, from the tables that the program uses."""
