"""What course.py calls: set-up, building notebooks, releasing exercises, guards."""
