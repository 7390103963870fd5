"""What a person does with form fields and things that can be dragged."""
