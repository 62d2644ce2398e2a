-- Counts a loss for each unfinished job of the lost runs in `ends`, and does in `judged` what becomes of
-- it: `lost`, it is ready again; or, if it was lost more often than its class declares (unless
-- :alike = 1), or else :max_losses, what the end of its run says, `retried` or `discarded`, or else
-- `failed`. All go into the history; {it}: the name and the host of their process.
lost AS (
	SELECT j.id, j.queue_name, j.class_name, j.priority
	FROM done {include:job_of done.job_id AND finished_at IS NULL}
), counted AS (
	INSERT INTO dray_losses AS known (job_id, losses, last_lost_at)
	SELECT id, 1, :now FROM lost
	ON CONFLICT (job_id) DO UPDATE
	SET losses = known.losses + 1, last_lost_at = excluded.last_lost_at
	RETURNING job_id, losses
), judged AS (
	SELECT lost.queue_name, lost.priority, ends.*, CASE WHEN counted.losses > COALESCE(
			CASE WHEN :alike = 0 THEN {include:own_bound lost.class_name} END, :max_losses)
		THEN COALESCE(ends.fate, 'failed') ELSE 'lost' END AS outcome
	FROM lost JOIN counted ON counted.job_id = lost.id JOIN ends ON ends.job_id = lost.id
), failed AS (
	INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
	SELECT job_id, error, :now FROM judged WHERE outcome = 'failed'
	ON CONFLICT (job_id) DO UPDATE SET error = excluded.error
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT job_id, queue_name, priority, :now FROM judged WHERE outcome = 'lost'
	{include:unless_there}
), retried AS (
	SELECT * FROM judged WHERE outcome = 'retried'
), {include:later retried}, finished AS (
	UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM judged WHERE outcome = 'discarded'))
), {include:forget_attempts}, attempted AS (
	INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at,
		ended_at, outcome, error)
	SELECT job_id, attempt, claim_id, {it}, began_at, ended_at, outcome, error FROM judged
)
