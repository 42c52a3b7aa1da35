"""What a learner looks at. No gradio, no torch: numbers and words in, pictures out."""
