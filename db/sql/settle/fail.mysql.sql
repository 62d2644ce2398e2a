-- fail(claims, failures, now) -> claim_id, job_id, process_id, claimed_at
-- Moves these claims' jobs to failed, each with its error; failures: those of claims, each with
-- its error. A claim that is gone was given to another process, also when its number stands for
-- another claim now: nothing is done for it, and it is not returned.
-- guard
-- rows
{include:lock_claims};
INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
SELECT c.job_id, x.error, :now
FROM JSON_TABLE(:failures, '$[*]' COLUMNS (id bigint PATH '$.id',
	job_id bigint PATH '$.job_id', process_id bigint PATH '$.process_id',
	created_at datetime(6) PATH '$.created_at',
	error longtext CHARACTER SET utf8mb4 PATH '$.error')) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
	AND c.job_id = x.job_id AND COALESCE(c.process_id, 0) = x.process_id
	AND c.created_at = x.created_at
{include:unless_there solid_queue_failed_executions}, error = VALUES(error);
{include:drop_claims};
