-- finish_recorded(claims, failures, keep, now) -> claim_id, job_id, process_id, claimed_at
-- Does what finish does for classes with `history: all`: the runs, whose ends `failures` tells as for
-- fail, but without an error, are written into the history, too.
-- guard
-- rows
{include:lock_claims};
UPDATE {include:named_claims}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
SET j.finished_at = :now, j.updated_at = :now;
{include:forget_attempts {include:run_ends}};
{include:add_attempts 'finished'};
{include:drop_claims};
