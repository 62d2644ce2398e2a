-- Joins b, the first of the blocked rows f for which f.concurrency_key is {it}.
STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = (
	SELECT f.id FROM solid_queue_blocked_executions f
		FORCE INDEX (index_solid_queue_blocked_executions_for_release)
	WHERE f.concurrency_key = {it} AND {include:blocked_exists f}
	ORDER BY f.concurrency_key, f.priority, f.job_id LIMIT 1)
