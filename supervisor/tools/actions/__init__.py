"""The actions of a person on a page: mouse, keyboard, wheel, form fields, files, drag and drop."""
