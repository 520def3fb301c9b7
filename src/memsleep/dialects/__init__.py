"""How each kind of memory file is read and edited."""
