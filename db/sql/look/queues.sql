-- queues() -> name, paused, ready, scheduled, claimed, blocked, failed, oldest_ready, paused_at
-- Lists every queue with unfinished jobs or a pause. Jobs are looked up one by one: most of that
-- table is finished.
-- read
-- rows
SELECT q.name, max(q.paused), sum(q.ready), sum(q.scheduled), sum(q.claimed), sum(q.blocked),
	sum(q.failed), min(CASE WHEN q.paused = 0 THEN q.since END),
	min(CASE WHEN q.paused = 1 THEN q.since END)
FROM (
	SELECT queue_name AS name, 0 AS paused, count(*) AS ready, 0 AS scheduled, 0 AS claimed,
		0 AS blocked, 0 AS failed, min(created_at) AS since
	FROM solid_queue_ready_executions GROUP BY queue_name
	UNION ALL
	SELECT queue_name, 0, 0, count(*), 0, 0, 0, NULL
	FROM solid_queue_scheduled_executions GROUP BY queue_name
	UNION ALL
	SELECT (SELECT j.queue_name FROM solid_queue_jobs j WHERE j.id = c.job_id),
		0, 0, 0, count(*), 0, 0, NULL
	FROM solid_queue_claimed_executions c GROUP BY 1
	UNION ALL
	SELECT queue_name, 0, 0, 0, 0, count(*), 0, NULL
	FROM solid_queue_blocked_executions GROUP BY queue_name
	UNION ALL
	SELECT (SELECT j.queue_name FROM solid_queue_jobs j WHERE j.id = f.job_id),
		0, 0, 0, 0, 0, count(*), NULL
	FROM solid_queue_failed_executions f GROUP BY 1
	UNION ALL
	SELECT queue_name, 1, 0, 0, 0, 0, 0, created_at FROM solid_queue_pauses
) q
GROUP BY q.name ORDER BY q.name;
