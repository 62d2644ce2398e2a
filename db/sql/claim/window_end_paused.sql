-- window_end_paused(from_priority, from_job, passed) -> queues, newest, priority, job_id
-- Where a claim from a place on has to stop, so that it meets only a few jobs of paused queues: at
-- the first job of a paused queue that has so many others before it, behind the place.
-- Null when there is none: only a few stand there. Any number of jobs that are not paused may stand
-- between. And how many queues are paused, and the number of the newest pause.

-- @mysql
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

-- @postgresql
-- (What is found may be of the next queue by name: one condition for all three columns leaves no
-- other index to walk.)
-- read
-- rows
SELECT (SELECT count(*) FROM solid_queue_pauses) AS queues,
	COALESCE((SELECT max(n.id) FROM solid_queue_pauses n), 0) AS newest, e.priority, e.job_id
FROM (SELECT 1 AS one) o
LEFT JOIN (
	SELECT r.priority, r.job_id
	FROM solid_queue_pauses p CROSS JOIN LATERAL (
		SELECT w.queue_name, w.priority, w.job_id FROM solid_queue_ready_executions w
		WHERE (w.queue_name, w.priority, w.job_id) >= (p.queue_name, :from_priority, :from_job)
		ORDER BY w.queue_name, w.priority, w.job_id LIMIT 1 OFFSET :passed) r
	WHERE r.queue_name = p.queue_name
	ORDER BY r.priority, r.job_id LIMIT 1) e ON true;

-- @sqlite
-- (What is found may be of the next queue by name: one condition for all three columns leaves no
-- other index to walk.)
-- read
-- rows
SELECT (SELECT count(*) FROM solid_queue_pauses) AS queues,
	COALESCE((SELECT max(n.id) FROM solid_queue_pauses n), 0) AS newest, e.priority, e.job_id
FROM (SELECT 1 AS one) o
LEFT JOIN (
	SELECT r.priority, r.job_id
	FROM (SELECT p.queue_name, (
			SELECT w.id FROM solid_queue_ready_executions w
			WHERE (w.queue_name, w.priority, w.job_id) >= (p.queue_name, :from_priority, :from_job)
			ORDER BY w.queue_name, w.priority, w.job_id LIMIT 1 OFFSET :passed) AS id
		FROM solid_queue_pauses p) q
	CROSS JOIN solid_queue_ready_executions r ON r.id = q.id AND r.queue_name = q.queue_name
	ORDER BY r.priority, r.job_id LIMIT 1) e ON 1 = 1;
