"""Loops on plain arrays: no names, no checks."""
