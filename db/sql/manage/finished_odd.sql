-- finished_odd(class_name, queue) -> jobs
-- Counts the finished jobs that clear_finished deletes beside those of finished_before: of times that
-- are none, or before all others.
-- read
-- rows
SELECT count(*) FROM (
	SELECT id FROM solid_queue_jobs {index:index_solid_queue_jobs_on_finished_at}
	WHERE finished_at < '1970-01-01 00:00:00' AND {include:is_clearable}
	UNION ALL
	SELECT id FROM solid_queue_jobs {index:index_solid_queue_jobs_on_finished_at}
	WHERE {include:finished_at_no_time} AND {include:is_clearable}) odd;
