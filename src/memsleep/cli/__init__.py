"""The command line: arguments in, one call of the library, bytes and an exit code out."""
