"""Where vectors come from: counted n-grams, a file, or nowhere."""
