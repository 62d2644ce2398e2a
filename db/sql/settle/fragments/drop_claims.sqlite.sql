-- Drops the claims that :claims names, by number, job, process and time.
DELETE FROM solid_queue_claimed_executions AS c WHERE {include:claim_is_named}
