-- orphans(after, limit) -> claim_name
-- Lists the claims above `after` whose process row does not exist, but for jobs that are set aside.
-- read
-- rows
SELECT c.id, c.job_id, c.process_id, c.created_at FROM solid_queue_claimed_executions c
LEFT JOIN solid_queue_processes p ON p.id = c.process_id
WHERE p.id IS NULL AND c.id > :after AND {include:is_not_set_aside c.job_id}
ORDER BY c.id LIMIT :limit;
