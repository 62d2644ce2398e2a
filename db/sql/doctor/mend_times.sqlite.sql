-- mend_times(jobs, now) ->
-- Times of unfinished jobs are given the form that they are compared in: what SQLite reads as a time
-- (a number is seconds since 1970, or a Julian day) stays that time, the rest is now.
UPDATE solid_queue_scheduled_executions SET scheduled_at = COALESCE((
	SELECT replace(read.time || '000', '.000000', '') FROM (
		SELECT CASE WHEN typeof(scheduled_at) IN ('integer', 'real')
			THEN strftime('%Y-%m-%d %H:%M:%f', scheduled_at, 'auto')
			ELSE strftime('%Y-%m-%d %H:%M:%f', scheduled_at) END AS time) read
	WHERE read.time >= '0'), :now)
WHERE job_id {in:jobs} AND scheduled_at IS NOT NULL AND NOT (
	datetime(substr(scheduled_at, 1, 19)) IS substr(scheduled_at, 1, 19)
	AND substr(scheduled_at, 20) NOT GLOB '*[^0-9.]*');
UPDATE solid_queue_jobs SET scheduled_at = COALESCE((
	SELECT replace(read.time || '000', '.000000', '') FROM (
		SELECT CASE WHEN typeof(scheduled_at) IN ('integer', 'real')
			THEN strftime('%Y-%m-%d %H:%M:%f', scheduled_at, 'auto')
			ELSE strftime('%Y-%m-%d %H:%M:%f', scheduled_at) END AS time) read
	WHERE read.time >= '0'), :now), updated_at = :now
WHERE id {in:jobs} AND scheduled_at IS NOT NULL AND NOT (
	datetime(substr(scheduled_at, 1, 19)) IS substr(scheduled_at, 1, 19)
	AND substr(scheduled_at, 20) NOT GLOB '*[^0-9.]*');
UPDATE solid_queue_jobs SET created_at = COALESCE((
	SELECT replace(read.time || '000', '.000000', '') FROM (
		SELECT CASE WHEN typeof(created_at) IN ('integer', 'real')
			THEN strftime('%Y-%m-%d %H:%M:%f', created_at, 'auto')
			ELSE strftime('%Y-%m-%d %H:%M:%f', created_at) END AS time) read
	WHERE read.time >= '0'), :now), updated_at = :now
WHERE id {in:jobs} AND created_at IS NOT NULL AND NOT (
	datetime(substr(created_at, 1, 19)) IS substr(created_at, 1, 19)
	AND substr(created_at, 20) NOT GLOB '*[^0-9.]*');
