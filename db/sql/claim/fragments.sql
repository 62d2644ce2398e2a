-- What several operations of claim/ share (db/scripts/dialect.h).
-- columns claim_name(id, job_id, process_id, claimed_at)
-- columns claimed_job(id, queue, class_name, payload, priority, active_job_id, concurrency_key, scheduled_at, created_at, losses, runs_before, max_losses, ready_at)
-- list selector_row(position, name, prefix)

-- @fragment claim_taken
-- What was taken from the ready jobs is claimed.

-- @postgresql
	RETURNING job_id, created_at
), claimed AS (
	INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
	SELECT job_id, :process_id, :now FROM taken
	ON CONFLICT (job_id) DO NOTHING
	RETURNING id, job_id
)

-- @fragment claimed_job
-- The columns of job j that its worker gets, how often it was lost, how many runs it has behind it that
-- neither its losses nor its payload count, how many losses it survives as its class declares (null
-- for a job that was never lost: its row l is missing), and since when it was ready.
j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key, j.scheduled_at, j.created_at,
	l.losses, l.runs_before + l.interruptions AS runs_before,
	CASE WHEN l.job_id IS NOT NULL THEN {include:own_bound j.class_name} END AS max_losses,
	{include:was_ready} AS ready_at

-- @fragment claims_of_now
-- What this process has claimed now.

-- @mysql
SELECT c.id AS claim_id, {include:claimed_job}
FROM solid_queue_claimed_executions c
	FORCE INDEX (index_solid_queue_claimed_executions_on_process_id_and_job_id)
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
LEFT JOIN dray_losses l FORCE INDEX (PRIMARY) ON l.job_id = j.id
WHERE c.process_id = :process_id AND c.created_at = :now

-- @postgresql
SELECT claimed.id AS claim_id, j.*
FROM claimed JOIN taken USING (job_id) CROSS JOIN LATERAL (
	SELECT {include:claimed_job}
	FROM solid_queue_jobs j LEFT JOIN dray_losses l ON l.job_id = j.id
	WHERE j.id = claimed.job_id OFFSET 0) j
ORDER BY j.priority, j.id

-- @sqlite
SELECT c.id AS claim_id, {include:claimed_job}
FROM solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id
LEFT JOIN dray_losses l ON l.job_id = j.id
WHERE c.process_id = :process_id AND c.created_at = :now
ORDER BY j.priority, j.id

-- @fragment class_is_not_paused
-- The class of the ready job r is not paused. That any is paused is asked first: mostly none is.

-- @mysql
(NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class')
	OR (SELECT COUNT(*) FROM solid_queue_jobs j FORCE INDEX (PRIMARY)
		STRAIGHT_JOIN dray_pauses k FORCE INDEX (PRIMARY) ON k.kind = 'class'
			AND k.name COLLATE utf8mb4_bin =
				CONVERT(j.class_name USING utf8mb4) COLLATE utf8mb4_bin
		WHERE j.id = r.job_id) = 0)

-- @postgresql
(NOT EXISTS (SELECT FROM dray_pauses k WHERE k.kind = 'class')
	OR COALESCE((SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id)
		<> ALL (ARRAY(SELECT k.name FROM dray_pauses k WHERE k.kind = 'class')), true))

-- @sqlite
(NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class')
	OR COALESCE((SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id)
		NOT IN (SELECT k.name FROM dray_pauses k WHERE k.kind = 'class'), true))

-- @fragment class_is_taken
-- The class of the ready job r is among :classes (null = all) and not among :others (null = none). Of a row
-- without a job: {it}.

-- @mysql
(:classes IS NULL OR COALESCE(JSON_CONTAINS(:classes, JSON_QUOTE((
	SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id))), {it}))
AND (:others IS NULL OR COALESCE(NOT JSON_CONTAINS(:others, JSON_QUOTE((
	SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id))), {it}))

-- @postgresql
(:classes::json IS NULL OR COALESCE((SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id
	) = ANY (ARRAY(SELECT json_array_elements_text(:classes::json))), {it}))
AND (:others::json IS NULL OR COALESCE((SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id
	) <> ALL (ARRAY(SELECT json_array_elements_text(:others::json))), {it}))

-- @sqlite
(:classes IS NULL OR COALESCE((SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id)
	IN (SELECT value FROM json_each(:classes)), {it}))
AND (:others IS NULL OR COALESCE((SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id)
	NOT IN (SELECT value FROM json_each(:others)), {it}))

-- @fragment is_eligible
-- The ready job r is eligible for this worker; so is a row without a job, which the claim deletes.
{include:class_is_taken true}
AND {include:class_is_not_paused}
AND {include:not_lost_too_often}
AND {include:is_not_set_aside r.job_id}

-- @fragment is_not_claimed
-- The ready job r is not claimed as well, as it would be where rows do not fit together.

-- @mysql
(SELECT c.id FROM solid_queue_claimed_executions c WHERE c.job_id = r.job_id) IS NULL

-- @sqlite
NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = r.job_id)

-- @fragment leave_ready
-- What this process has claimed now is ready no longer.

-- @mysql
DELETE r
FROM solid_queue_claimed_executions c
	FORCE INDEX (index_solid_queue_claimed_executions_on_process_id_and_job_id)
STRAIGHT_JOIN solid_queue_ready_executions r
	FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON r.job_id = c.job_id
WHERE c.process_id = :process_id AND c.created_at = :now

-- @sqlite
DELETE FROM solid_queue_ready_executions WHERE job_id IN (
	SELECT job_id FROM solid_queue_claimed_executions
	WHERE process_id = :process_id AND created_at = :now)

-- @fragment no_pattern_pauses
-- No pattern pauses the queue {it}, unless something is said of it by name: that comes first.

-- @mysql
(SELECT COUNT(*) FROM dray_pauses t FORCE INDEX (PRIMARY)
	WHERE t.kind = 'pattern'
		AND LEFT(CONVERT({it} USING utf8mb4), CHAR_LENGTH(t.name) - 1) COLLATE utf8mb4_bin =
			LEFT(t.name, CHAR_LENGTH(t.name) - 1)
		AND NOT EXISTS (SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue'
			AND e.name = CONVERT({it} USING utf8mb4) COLLATE utf8mb4_bin)) = 0

-- @postgresql
NOT EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern'
	AND left({it}, length(t.name) - 1) = left(t.name, -1)
	AND NOT EXISTS (SELECT FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = {it}))

-- @sqlite
NOT EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern'
	AND substr({it}, 1, length(t.name) - 1) = substr(t.name, 1, length(t.name) - 1)
	AND NOT EXISTS (SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = {it}))

-- @fragment not_lost_too_often
-- The ready job r has not been lost so often that one more loss fails it: as its class declares, or
-- else :max_losses (null = never mind).

-- @mysql
(:max_losses IS NULL OR (SELECT lost.job_id FROM dray_losses lost FORCE INDEX (PRIMARY)
	STRAIGHT_JOIN solid_queue_jobs hurt FORCE INDEX (PRIMARY) ON hurt.id = lost.job_id
	WHERE lost.job_id = r.job_id AND lost.losses >=
		GREATEST(1, COALESCE({include:own_bound hurt.class_name}, :max_losses))) IS NULL)

-- @postgresql
(:max_losses::integer IS NULL OR (SELECT lost.job_id FROM dray_losses lost
	WHERE lost.job_id = r.job_id AND lost.losses >= GREATEST(1, COALESCE((
		SELECT {include:own_bound hurt.class_name}
		FROM solid_queue_jobs hurt WHERE hurt.id = lost.job_id), :max_losses::integer))) IS NULL)

-- @sqlite
(:max_losses IS NULL OR (SELECT lost.job_id FROM dray_losses lost
	WHERE lost.job_id = r.job_id AND lost.losses >= max(1, COALESCE((
		SELECT {include:own_bound hurt.class_name}
		FROM solid_queue_jobs hurt WHERE hurt.id = lost.job_id), :max_losses))) IS NULL)

-- @fragment nothing_new_is_paused
-- No queue was paused after the pause with the number :newest, and no pattern or class is paused;
-- never mind when :newest is null.
((COALESCE((SELECT max(n.id) FROM solid_queue_pauses n), 0) <= :newest
	AND NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind IN ('class', 'refused'))
	AND NOT EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern'))
	OR :newest IS NULL)

-- @fragment paused_and_claims
-- What is paused, and what this process has claimed now; one row at least, for its first column.

-- @mysql
SELECT p.paused, c.id AS claim_id, {include:claimed_job}
FROM (SELECT {include:paused_kind} AS paused) p
LEFT JOIN (solid_queue_claimed_executions c
		FORCE INDEX (index_solid_queue_claimed_executions_on_process_id_and_job_id)
	JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id)
	ON c.process_id = :process_id AND c.created_at = :now
LEFT JOIN dray_losses l FORCE INDEX (PRIMARY) ON l.job_id = j.id

-- @postgresql
SELECT p.paused, c.*
FROM (SELECT {include:paused_kind} AS paused) p
LEFT JOIN (
	SELECT claimed.id AS claim_id, j.*
	FROM claimed JOIN taken USING (job_id) CROSS JOIN LATERAL (
		SELECT {include:claimed_job}
		FROM solid_queue_jobs j LEFT JOIN dray_losses l ON l.job_id = j.id
		WHERE j.id = claimed.job_id OFFSET 0) j
) c ON true
ORDER BY c.priority, c.id

-- @sqlite
SELECT p.paused, c.id AS claim_id, {include:claimed_job}
FROM (SELECT {include:paused_kind} AS paused) p
LEFT JOIN solid_queue_claimed_executions c ON c.process_id = :process_id AND c.created_at = :now
LEFT JOIN solid_queue_jobs j ON j.id = c.job_id
LEFT JOIN dray_losses l ON l.job_id = j.id
ORDER BY j.priority, j.id

-- @fragment paused_kind
-- What is paused: 0 = nothing, 1 = queues by name, 2 = patterns, 3 = classes or refused jobs, whatever else is, too.

-- @mysql @sqlite
CASE WHEN EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind IN ('class', 'refused')) THEN 3
	WHEN EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern') THEN 2
	WHEN EXISTS (SELECT 1 FROM solid_queue_pauses) THEN 1 ELSE 0 END

-- @postgresql
CASE WHEN EXISTS (SELECT FROM dray_pauses k WHERE k.kind IN ('class', 'refused')) THEN 3
	WHEN EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern') THEN 2
	WHEN EXISTS (SELECT FROM solid_queue_pauses) THEN 1 ELSE 0 END

-- @fragment process_may_claim
-- The process is not paused, and has its row: it was not presumed dead.

-- @mysql
(SELECT COUNT(*) FROM dray_pauses d WHERE d.process_id = :process_id) = 0
AND (SELECT o.id FROM solid_queue_processes o WHERE o.id = :process_id) IS NOT NULL

-- @postgresql
NOT EXISTS (SELECT FROM dray_pauses d WHERE d.process_id = :process_id)
AND EXISTS (SELECT FROM solid_queue_processes WHERE id = :process_id)

-- @sqlite
NOT EXISTS (SELECT 1 FROM dray_pauses d WHERE d.process_id = :process_id)
AND EXISTS (SELECT 1 FROM solid_queue_processes o WHERE o.id = :process_id)

-- @fragment queue_is_not_paused
-- The queue {it} is paused neither by its name nor by a pattern.
NOT EXISTS (SELECT 1 FROM solid_queue_pauses s WHERE s.queue_name = {it})
AND {include:no_pattern_pauses {it}}

-- @fragment was_ready
-- @mysql @sqlite
-- Since when the claimed job j was ready: its ready row goes after this statement.
(SELECT e.created_at FROM solid_queue_ready_executions e WHERE e.job_id = j.id)

-- @postgresql
-- Since when the claimed job was ready.
taken.created_at
