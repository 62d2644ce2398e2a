-- Locks those of the claims that :claims names that are still there, and returns them.
SELECT c.id, c.job_id, c.process_id, c.created_at
FROM {include:distinct_claims}
FOR UPDATE
