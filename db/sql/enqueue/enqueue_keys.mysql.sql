-- enqueue_keys(keys, now) ->
-- Inserts the further keys ([{"active_job_id", "position", "key"}]) of jobs that were enqueued
-- with `now`.
INSERT INTO dray_keys (job_id, position, concurrency_key)
SELECT j.id, x.position, x.name
FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
	active_job_id varchar(255) {as_jobs} PATH '$.active_job_id',
	position int PATH '$.position',
	name varchar(255) CHARACTER SET utf8mb4 PATH '$.key')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (index_solid_queue_jobs_on_active_job_id)
	ON j.active_job_id = x.active_job_id
WHERE j.created_at = :now
ON DUPLICATE KEY UPDATE position = VALUES(position);
