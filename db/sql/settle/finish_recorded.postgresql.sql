-- finish_recorded(claims, failures, keep, now) -> claim_id, job_id, process_id, claimed_at
-- Does what finish does for classes with `history: all`: the runs, whose ends `failures` tells as for
-- fail, but without an error, are written into the history, too.
-- rows
WITH {include:drop_claims}, {include:run_ends}, {include:add_attempts 'finished'}, finished AS (
	UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM done))
)
SELECT id, job_id, process_id, created_at FROM done;
