-- finish(claims, now) -> claim_name
-- Marks the jobs of these claims finished and drops the claims. claims: [{"id", "job_id",
-- "process_id", "created_at"}]. A claim that is gone was given to another process, also when its
-- number stands for another claim now: nothing is done for it, and it is not returned.

-- @mysql
-- guard
-- rows
{include:lock_claims};
{include:finish_jobs};
{include:drop_claims};

-- @postgresql
-- rows
WITH {include:drop_claims}, finished AS (
	{include:finish_jobs}
)
SELECT id, job_id, process_id, created_at FROM done;

-- @sqlite
{include:finish_jobs};
{include:end_claims};
