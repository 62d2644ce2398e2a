-- orphans(limit) -> claim_id
-- Claims whose process row does not exist.
-- read
-- rows
SELECT c.id FROM solid_queue_claimed_executions c
LEFT JOIN solid_queue_processes p ON p.id = c.process_id
WHERE p.id IS NULL ORDER BY c.id LIMIT :limit;
