-- Of the lost jobs in @dray_lost those are ready again that were not lost too often.
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM JSON_TABLE(@dray_lost, '$[*]' COLUMNS (
	job_id bigint PATH '$.job_id', fails int PATH '$.fails')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.job_id
WHERE x.fails = 0
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id)
