"""What a person does on a page: mouse, keyboard, wheel, form fields, files, drag and drop."""
