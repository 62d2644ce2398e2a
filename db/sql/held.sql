-- held(process_id) -> claim_id, job_id
-- What this process holds.
-- read
-- rows
SELECT id, job_id FROM solid_queue_claimed_executions WHERE process_id = :process_id;
