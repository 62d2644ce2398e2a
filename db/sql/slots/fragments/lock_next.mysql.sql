-- The blocked rows b that @dray_next names, locked; one that somebody else has locked is left
-- out, and is for them to release. They are locked as Solid Queue does, by the index and then
-- the row: if only the row were locked, a releaser of Solid Queue's would pass it by, keep the
-- index's lock and wait for the semaphore, and this would wait for the index.
(SELECT DISTINCT x.name, x.priority, x.job_id FROM JSON_TABLE(@dray_next, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key',
	priority int PATH '$.priority',
	job_id bigint PATH '$.job_id')) x) d
STRAIGHT_JOIN solid_queue_blocked_executions b
	FORCE INDEX (index_solid_queue_blocked_executions_for_release)
	ON b.concurrency_key = d.name AND b.priority = d.priority AND b.job_id = d.job_id
{skip_locked}
