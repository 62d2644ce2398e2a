-- finish_and_delete(claims) -> claim_id, job_id, process_id, claimed_at
-- finish for preserve_finished_jobs: false: the jobs' rows go, and the claims with them.
-- guard
-- rows
{include:lock_claims};
DELETE j
FROM {include:named_claims}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id;
