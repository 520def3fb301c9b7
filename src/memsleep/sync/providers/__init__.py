"""The two providers that come with memsleep: another folder, and JSON over HTTP."""
