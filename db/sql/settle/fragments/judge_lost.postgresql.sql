-- Counts a loss for each unfinished job of `done`. One with more losses than its class declares
-- (unless :alike = 1), or else :max_losses, fails with :error, the others are ready again.
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
	SELECT lost.*, counted.losses > COALESCE(
		CASE WHEN :alike = 0 THEN {include:own_bound lost.class_name} END, :max_losses) AS fails
	FROM lost JOIN counted ON counted.job_id = lost.id
), failed AS (
	INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
	SELECT id, :error, :now FROM judged WHERE fails
	ON CONFLICT (job_id) DO UPDATE SET error = excluded.error
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT id, queue_name, priority, :now FROM judged WHERE NOT fails
	{include:unless_there}
)
