-- release(claims, now) -> claim_id, job_id, process_id, claimed_at
-- Makes these claims' jobs ready again. A claim of a finished job just goes; one that is gone,
-- or whose number stands for another claim now, is not returned.
-- guard
-- rows
{include:lock_claims};
{include:ready_again {include:named_claims}};
{include:drop_claims};
