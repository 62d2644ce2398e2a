-- doctor_times(after, limit) -> ailing
-- Looks at the next `limit` unfinished jobs above `after`, and returns those that have a time
-- which does not mean what comparing it comes to: the column, and what stands there. The last of
-- them is returned in any case, without a column if its times are right: that is where to go on.
-- read
-- rows
WITH seen AS (
	SELECT id, scheduled_at, created_at FROM solid_queue_jobs
		{index:index_solid_queue_jobs_on_finished_at}
	WHERE finished_at IS NULL AND id > :after ORDER BY id LIMIT :limit
), times AS (
	SELECT seen.id, seen.scheduled_at, seen.created_at,
		(SELECT s.scheduled_at FROM solid_queue_scheduled_executions s
			WHERE s.job_id = seen.id) AS due_at
	FROM seen
), judged AS (
	SELECT id, scheduled_at, created_at, due_at,
		CASE WHEN {include:time_is_odd due_at} THEN 1
			WHEN {include:time_is_odd scheduled_at} THEN 2
			WHEN {include:time_is_odd created_at} THEN 3 END AS place
	FROM times
)
SELECT id, CASE WHEN place = 3 THEN 'created_at' WHEN place > 0 THEN 'scheduled_at' END,
	{include:as_text CASE place WHEN 1 THEN due_at WHEN 2 THEN scheduled_at ELSE created_at END}
FROM judged WHERE place > 0 OR id = (SELECT MAX(id) FROM seen) ORDER BY id;
