"""The report of a night, in four forms made from one `Report`."""
