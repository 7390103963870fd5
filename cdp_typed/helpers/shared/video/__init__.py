"""Videos of pages: what each picture shows, drawn with Pillow and written as WebM by PyAV."""
