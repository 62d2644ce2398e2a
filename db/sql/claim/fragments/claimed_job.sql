-- The columns of job j that its worker gets, how often it was lost, how many runs it has behind it that
-- neither its losses nor its payload count, how many losses it survives as its class declares (null
-- for a job that was never lost), and since when it was ready.
j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key, j.scheduled_at, j.created_at,
	(SELECT l.losses FROM dray_losses l WHERE l.job_id = j.id) AS losses,
	(SELECT l.runs_before + l.interruptions FROM dray_losses l WHERE l.job_id = j.id) AS runs_before,
	(SELECT {include:own_bound j.class_name} FROM dray_losses l WHERE l.job_id = j.id) AS max_losses,
	{include:was_ready} AS ready_at
