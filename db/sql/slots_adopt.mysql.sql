-- slots_adopt(jobs, now) ->
-- Those of these jobs that run or are ready although dray did not give them their slot (Solid Queue
-- did) hold it from now on.
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT j.concurrency_key, j.id, j.class_name, 0, :now
FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
LEFT JOIN dray_slots s FORCE INDEX (index_dray_slots_on_job_id) ON s.job_id = j.id
LEFT JOIN solid_queue_claimed_executions c
	FORCE INDEX (index_solid_queue_claimed_executions_on_job_id) ON c.job_id = j.id
LEFT JOIN solid_queue_ready_executions r
	FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON r.job_id = j.id
WHERE j.concurrency_key IS NOT NULL AND s.job_id IS NULL
	AND (c.id IS NOT NULL OR r.id IS NOT NULL)
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
