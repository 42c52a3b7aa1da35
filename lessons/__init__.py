"""What is taught. Each lesson will be a folder here: data, pure functions, pictures and text."""
