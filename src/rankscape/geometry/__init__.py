"""Geometry of performances and preferences: lines, pencils and hulls in ROC and PR space."""
