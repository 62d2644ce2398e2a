-- Counts an interruption for each unfinished job of `done`.
interrupted AS (
	INSERT INTO dray_losses AS known (job_id, losses, last_lost_at, interruptions)
	SELECT j.id, 0, :now, 1
	FROM done {include:job_of done.job_id AND finished_at IS NULL}
	ON CONFLICT (job_id) DO UPDATE SET interruptions = known.interruptions + 1
)
