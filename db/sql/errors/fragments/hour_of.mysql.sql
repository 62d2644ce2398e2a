-- The hour that the time {it} is in.
TO_SECONDS({it}) DIV 3600
