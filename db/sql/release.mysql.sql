-- release(claims, now) -> claim_id, job_id, process_id, claimed_at
-- Gives these claims' jobs back to ready. A claim of a finished job just goes;
-- one that is gone, or whose number stands for another claim now, is not returned.
-- guard
-- rows
SELECT c.id, c.job_id, c.process_id, c.created_at
FROM (SELECT DISTINCT x.id, x.job_id, x.process_id, x.created_at
	FROM JSON_TABLE(:claims, '$[*]' COLUMNS (id bigint PATH '$.id',
		job_id bigint PATH '$.job_id', process_id bigint PATH '$.process_id',
		created_at datetime(6) PATH '$.created_at')) x) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
	AND c.job_id = x.job_id AND COALESCE(c.process_id, 0) = x.process_id
	AND c.created_at = x.created_at
FOR UPDATE;
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM JSON_TABLE(:claims, '$[*]' COLUMNS (id bigint PATH '$.id',
	job_id bigint PATH '$.job_id', process_id bigint PATH '$.process_id',
	created_at datetime(6) PATH '$.created_at')) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
	AND c.job_id = x.job_id AND COALESCE(c.process_id, 0) = x.process_id
	AND c.created_at = x.created_at
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
DELETE c
FROM JSON_TABLE(:claims, '$[*]' COLUMNS (id bigint PATH '$.id',
	job_id bigint PATH '$.job_id', process_id bigint PATH '$.process_id',
	created_at datetime(6) PATH '$.created_at')) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
	AND c.job_id = x.job_id AND COALESCE(c.process_id, 0) = x.process_id
	AND c.created_at = x.created_at;
