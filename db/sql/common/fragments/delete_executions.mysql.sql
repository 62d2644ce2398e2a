-- Deletes the {it} executions of these jobs.
DELETE e
FROM {include:ids :jobs} x
STRAIGHT_JOIN {include:executions {it}}
