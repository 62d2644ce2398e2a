-- Does what becomes of the lost runs in `ends`, by their outcomes, and counts a loss for each unfinished
-- job; these are in `lost` then. One that is retried counts as an execution, too, so that it is one run
-- less beside these. All go into the history; {it}: the name and the host of their process.
lost AS (
	SELECT ends.*, j.queue_name, j.priority
	FROM ends {include:job_of ends.job_id AND finished_at IS NULL}
), counted AS (
	INSERT INTO dray_losses AS known (job_id, losses, runs_before, last_lost_at)
	SELECT job_id, 1, CASE WHEN outcome = 'retried' THEN -1 ELSE 0 END, :now FROM lost
	ON CONFLICT (job_id) DO UPDATE SET losses = known.losses + 1,
		runs_before = known.runs_before + excluded.runs_before,
		last_lost_at = excluded.last_lost_at
), failed AS (
	INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
	SELECT job_id, error, :now FROM lost WHERE outcome = 'failed'
	ON CONFLICT (job_id) DO UPDATE SET error = excluded.error
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT job_id, queue_name, priority, :now FROM lost WHERE outcome = 'lost'
	{include:unless_there}
), retried AS (
	SELECT * FROM lost WHERE outcome = 'retried'
), {include:later retried}, finished AS (
	UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM lost WHERE outcome = 'discarded'))
), {include:forget_attempts lost}, attempted AS (
	INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at,
		ended_at, outcome, error, error_group)
	SELECT job_id, attempt, claim_id, {it}, began_at, ended_at, outcome, error,
		error_group FROM lost
)
