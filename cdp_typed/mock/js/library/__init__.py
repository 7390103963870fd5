"""What ECMAScript brings along: methods of strings, arrays and numbers, and global functions."""
