-- release(claims, now) -> claim_id, job_id, process_id, claimed_at
-- Makes these claims' jobs ready again. A claim of a finished job just goes; one that is gone,
-- or whose number stands for another claim now, is not returned.
-- rows
WITH {include:drop_claims}, ready AS (
	{include:ready_again}
)
SELECT id, job_id, process_id, created_at FROM done;
