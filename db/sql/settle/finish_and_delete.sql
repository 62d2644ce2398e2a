-- finish_and_delete(claims) -> claim_name
-- Does what finish does where finished jobs are not preserved (preserve_finished_jobs: false):
-- deletes the jobs' rows, and the claims with them.

-- @mysql
-- guard
-- rows
{include:lock_claims};
DELETE j
FROM {include:named_claims}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id;

-- @postgresql
-- rows
WITH {include:drop_claims}, finished AS (
	DELETE FROM solid_queue_jobs WHERE id = ANY (ARRAY(SELECT job_id FROM done))
)
SELECT id, job_id, process_id, created_at FROM done;

-- @sqlite
-- rows
SELECT c.id, c.job_id, c.process_id, c.created_at
FROM solid_queue_claimed_executions c
WHERE {include:claim_is_named};
DELETE FROM solid_queue_jobs WHERE id IN (
	SELECT c.job_id FROM solid_queue_claimed_executions c
	WHERE {include:claim_is_named});
