"""The report of a flight: one HTML file with everything that a flight recording knows."""
