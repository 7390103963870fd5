"""The state of every part of a supervisor as frozen values, with the questions that can be asked of them."""
