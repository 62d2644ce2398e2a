-- finish(claims, now) -> claim_name
-- Marks the jobs of these claims finished and drops the claims. claims: [{"id", "job_id",
-- "process_id", "created_at"}]. A claim that is gone was given to another process, also when its
-- number stands for another claim now: nothing is done for it, and it is not returned.

-- @mysql
-- guard
-- rows
{include:lock_claims};
UPDATE {include:named_claims}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
SET j.finished_at = :now, j.updated_at = :now;
{include:drop_claims};

-- @postgresql
-- rows
WITH {include:drop_claims}, finished AS (
	UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM done))
)
SELECT id, job_id, process_id, created_at FROM done;

-- @sqlite
UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now WHERE id IN (
	SELECT c.job_id FROM solid_queue_claimed_executions c
	WHERE {include:claim_is_named});
-- rows
{include:drop_claims}
RETURNING id, job_id, process_id, created_at;
