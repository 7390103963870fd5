"""The code that the helpers and their blocking twins share: values, and computations that wait for nothing."""
