-- Locks the claims that the process holds; their ids are in @dray_claims.
SELECT JSON_ARRAYAGG(held.id) INTO @dray_claims FROM (
	SELECT c.id FROM solid_queue_claimed_executions c
		FORCE INDEX (index_solid_queue_claimed_executions_on_process_id_and_job_id)
	WHERE c.process_id = :process_id FOR UPDATE) held
