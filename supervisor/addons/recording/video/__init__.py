"""Videos of what an agent does: pictures of its current page, with its steps drawn into them."""
