"""What the helpers and their blocking twins share: values, and what is worked out without waiting for anything."""
