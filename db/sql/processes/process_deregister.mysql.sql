-- process_deregister(process_id, now) -> released
-- Deletes the process's row and gives its claims back to ready. A claim of a
-- finished job just goes. NONE when there was no such row.
-- guard
DELETE FROM solid_queue_processes WHERE id = :process_id;
SELECT JSON_ARRAYAGG(held.id) INTO @dray_claims FROM (
	SELECT c.id FROM solid_queue_claimed_executions c
		FORCE INDEX (index_solid_queue_claimed_executions_on_process_id_and_job_id)
	WHERE c.process_id = :process_id FOR UPDATE) held;
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM JSON_TABLE(@dray_claims, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
DELETE c
FROM JSON_TABLE(@dray_claims, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id;
-- rows
SELECT COALESCE(JSON_LENGTH(@dray_claims), 0);
