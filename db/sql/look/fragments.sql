-- What several operations of look/ share (db/scripts/dialect.h).
-- columns job_row(id, queue, class_name, payload, priority, active_job_id, concurrency_key, scheduled_at, created_at, finished_at, state, error, since, process_id)

-- @fragment any_state
-- The state of job j, its error, since when, the process that runs it, and whether it was cancelled or
-- discarded, or is being cancelled. from_any_state joins the tables.
CASE WHEN j.finished_at IS NOT NULL THEN 'finished' WHEN r.id IS NOT NULL THEN 'ready'
	WHEN c.id IS NOT NULL THEN 'claimed' WHEN f.id IS NOT NULL THEN 'failed'
	WHEN s.id IS NOT NULL THEN 'scheduled' WHEN b.id IS NOT NULL THEN 'blocked' END,
f.error, COALESCE(j.finished_at, r.created_at, c.created_at, f.created_at, s.created_at, b.created_at), c.process_id,
CASE WHEN j.finished_at IS NOT NULL THEN {include:ended_as j.id} WHEN k.job_id IS NOT NULL THEN 'cancelling' END

-- @fragment attempts_to
-- How many attempts there are, counted to {it}.
(SELECT count(*) FROM (SELECT c.job_id
	FROM dray_attempts c {index:index_dray_attempts_on_job_id_and_id} LIMIT {it}) counted)

-- @fragment ended_as
-- How the finished job {it} has ended, if its history says that it has not done its work; else null.
CASE {include:last_outcome {it}} WHEN 'cancelled' THEN 'cancelled' WHEN 'discarded' THEN 'discarded' END

-- @fragment error_group_of
-- The error group of the failure e, as the last run of its job tells; null = it has none, or others have failed
-- the job since.

-- @mysql
(SELECT CASE WHEN h.outcome = 'failed' AND h.error = CONVERT(e.error USING utf8mb4) COLLATE utf8mb4_bin
		THEN h.error_group END
	FROM dray_attempts h FORCE INDEX (index_dray_attempts_on_job_id_and_id)
	WHERE h.job_id = e.job_id ORDER BY h.id DESC LIMIT 1)

-- @postgresql @sqlite
(SELECT CASE WHEN h.outcome = 'failed' AND h.error = e.error THEN h.error_group END
	FROM dray_attempts h {index:index_dray_attempts_on_job_id_and_id}
	WHERE h.job_id = e.job_id ORDER BY h.id DESC LIMIT 1)

-- @fragment from_any_state
-- The tables in one of which job j stands, for any_state; k: its run is being cancelled.
LEFT JOIN solid_queue_ready_executions r ON r.job_id = j.id
LEFT JOIN solid_queue_claimed_executions c ON c.job_id = j.id
LEFT JOIN solid_queue_failed_executions f ON f.job_id = j.id
LEFT JOIN solid_queue_scheduled_executions s ON s.job_id = j.id
LEFT JOIN solid_queue_blocked_executions b ON b.job_id = j.id
LEFT JOIN dray_cancellations k {index:PRIMARY} ON k.job_id = j.id AND k.claim_id = c.id

-- @fragment job_is_wanted
-- Job j has the queue, class, key and age that are asked for; null = any.
(j.queue_name = :queue OR :queue IS NULL)
AND {include:is_of_class j.class_name}
AND (j.concurrency_key = :key OR :key IS NULL)
AND (j.created_at >= :since OR :since IS NULL) AND (j.created_at < :until OR :until IS NULL)

-- @fragment job_row
-- The columns of a job j as the operator sees it.
j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key,
	j.scheduled_at, j.created_at, j.finished_at

-- @fragment last_outcome
-- How the last run of the job {it} that the history knows has ended.
(SELECT h.outcome FROM dray_attempts h {index:index_dray_attempts_on_job_id_and_id}
	WHERE h.job_id = {it} ORDER BY h.id DESC LIMIT 1)

-- @fragment newest_in
-- The newest of the {it} jobs that are asked for.

-- @mysql
(SELECT {include:job_row}
	FROM solid_queue_{it}_executions {it} FORCE INDEX (index_solid_queue_{it}_executions_on_job_id)
	STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = {it}.job_id
	WHERE {it}.job_id > :after AND {it}.job_id < :before
		AND {include:job_is_wanted}
		AND (:text = '' OR lower(j.arguments) LIKE lower(:text) ESCAPE '!')
	ORDER BY {it}.job_id DESC LIMIT :limit) {it}_jobs

-- @postgresql @sqlite
(SELECT {include:job_row}
	FROM solid_queue_{it}_executions {it}
	JOIN solid_queue_jobs j ON j.id = {it}.job_id
	WHERE {it}.job_id > :after AND {it}.job_id < :before
		AND {include:job_is_wanted}
		AND (:text = '' OR lower(j.arguments) LIKE lower(:text) ESCAPE '!')
	ORDER BY {it}.job_id DESC LIMIT :limit) {it}_jobs

-- @fragment was_retried
-- The last attempt of the job {it} failed, and the job was retried.
{include:last_outcome {it}} = 'retried'
