-- paused_end(from_priority, from_job, passed) -> queues, newest, priority, job_id
-- How far a claim may go from a place on in the order by priority and age: to the first job of a
-- paused queue that has so many others before it, of those behind the place; null when there is
-- none. And how many queues are paused, and the number of the newest pause. Any number of jobs that
-- are not paused may stand between.
-- read
-- rows
SELECT (SELECT COUNT(*) FROM solid_queue_pauses) AS queues,
	COALESCE((SELECT max(n.id) FROM solid_queue_pauses n), 0) AS newest, e.priority, e.job_id
FROM (SELECT 1 AS one) o
LEFT JOIN (
	SELECT r.priority, r.job_id
	FROM (SELECT (
			SELECT w.id FROM solid_queue_ready_executions w
				FORCE INDEX (index_solid_queue_poll_by_queue)
			WHERE w.queue_name = p.queue_name
				AND (w.priority > :from_priority OR (w.priority = :from_priority AND w.job_id >= :from_job))
			ORDER BY w.queue_name, w.priority, w.job_id LIMIT 1 OFFSET :passed) AS id
		FROM solid_queue_pauses p) q
	STRAIGHT_JOIN solid_queue_ready_executions r FORCE INDEX (PRIMARY) ON r.id = q.id
	ORDER BY r.priority, r.job_id LIMIT 1) e ON 1 = 1;
