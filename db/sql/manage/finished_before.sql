-- finished_before(before, class_name, queue, since, after, limit) -> job_id, finished_at
-- Lists a page of the finished jobs, in the order in which they finished, from a time and number
-- on. The time is the text that an earlier page had: written anew it could stand elsewhere.
-- read
-- rows
SELECT id, finished_at
FROM solid_queue_jobs
WHERE finished_at < :before AND finished_at >= :since AND (finished_at > :since OR id > :after)
	AND {include:is_clearable}
ORDER BY finished_at, id LIMIT :limit;
