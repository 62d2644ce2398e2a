-- held(process_id) -> claim_name
-- Lists the claims that this process holds.
-- read
-- rows
SELECT id, job_id, process_id, created_at
FROM solid_queue_claimed_executions WHERE process_id = :process_id;
