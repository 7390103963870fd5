"""The whole browser as frozen values, and the step that changes them."""
