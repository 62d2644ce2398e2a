-- jobs(queue, class_name, key, text, since, until, after, before, limit) -> job_row, outcome
-- Lists the newest (under its second name the oldest) jobs of any state between two ids.
-- also jobs_oldest
-- read
-- rows
SELECT {include:job_row},
	{include:any_state}
FROM (SELECT * FROM solid_queue_jobs n
	WHERE n.id > :after AND n.id < :before AND (n.queue_name = :queue OR :queue IS NULL)
		AND {include:is_of_class n.class_name}
		AND (n.concurrency_key = :key OR :key IS NULL)
		AND (n.created_at >= :since OR :since IS NULL)
		AND (n.created_at < :until OR :until IS NULL)
		AND (:text = '' OR lower(n.arguments) LIKE lower(:text) ESCAPE '!'
			OR lower((SELECT e.error FROM solid_queue_failed_executions e
				WHERE e.job_id = n.id)) LIKE lower(:text) ESCAPE '!')
	ORDER BY n.id {newest_first} LIMIT :limit) j
{include:from_any_state}
ORDER BY j.id {newest_first};
