-- jobs_finished(queue, class_name, key, text, since, until, after, before, limit) -> job_row, outcome
-- Lists the newest (under its second name the oldest) finished jobs between two ids.
-- also jobs_finished_oldest
-- read
-- rows
SELECT {include:job_row}, 'finished', NULL, j.finished_at, NULL, {include:ended_as j.id}
FROM solid_queue_jobs j
WHERE j.id > :after AND j.id < :before AND j.finished_at IS NOT NULL
	AND {include:job_is_wanted}
	AND (:text = '' OR lower(j.arguments) LIKE lower(:text) ESCAPE '!')
ORDER BY j.id {newest_first} LIMIT :limit;
