-- What is said of the cancelled job of the note k: by whom, and why.
'cancelled by ' || k.requested_by || COALESCE(': ' || k.reason, '')
