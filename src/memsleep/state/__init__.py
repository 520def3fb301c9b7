"""What memsleep remembers beside the corpus. The only package that opens SQLite databases."""
