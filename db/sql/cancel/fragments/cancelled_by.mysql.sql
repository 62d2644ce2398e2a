-- What is said of the cancelled job of the note k: by whom, and why.
CONCAT('cancelled by ', k.requested_by, COALESCE(CONCAT(': ', k.reason), ''))
