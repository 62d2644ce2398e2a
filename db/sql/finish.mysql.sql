-- finish(claims, now) -> claim_id, job_id, process_id, claimed_at
-- Marks the jobs of these claims finished and drops the claims. claims: [{"id",
-- "job_id", "process_id", "created_at"}]. One that is gone was given to somebody else, also when its
-- number stands for another claim now: nothing is done for it and it is not returned.
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
UPDATE JSON_TABLE(:claims, '$[*]' COLUMNS (id bigint PATH '$.id',
	job_id bigint PATH '$.job_id', process_id bigint PATH '$.process_id',
	created_at datetime(6) PATH '$.created_at')) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
	AND c.job_id = x.job_id AND COALESCE(c.process_id, 0) = x.process_id
	AND c.created_at = x.created_at
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
SET j.finished_at = :now, j.updated_at = :now;
DELETE c
FROM JSON_TABLE(:claims, '$[*]' COLUMNS (id bigint PATH '$.id',
	job_id bigint PATH '$.job_id', process_id bigint PATH '$.process_id',
	created_at datetime(6) PATH '$.created_at')) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
	AND c.job_id = x.job_id AND COALESCE(c.process_id, 0) = x.process_id
	AND c.created_at = x.created_at;
