"""Parts every page is made of: frame, charts, downloads, choices."""
