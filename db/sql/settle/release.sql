-- release(claims, now) -> claim_name
-- Makes these claims' jobs ready again. A claim of a finished job just goes; one that is gone,
-- or whose number stands for another claim now, is not returned.

-- @mysql
-- guard
-- rows
{include:lock_claims};
{include:ready_again {include:named_claims}};
{include:drop_claims};

-- @postgresql
-- rows
WITH {include:drop_claims}, ready AS (
	{include:ready_again}
)
SELECT id, job_id, process_id, created_at FROM done;

-- @sqlite
{include:ready_again {include:claim_is_named}};
{include:end_claims};
