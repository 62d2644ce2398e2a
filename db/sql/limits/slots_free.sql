-- slots_free(jobs, now) ->

-- @mysql
-- Takes back the slots of those of these jobs that neither run nor are ready any more. A slot is
-- a row, so it comes back once however often this runs. Where fewer of a key's slots are held
-- than its semaphore knows, the semaphore does not grow above what its class may have. What
-- others claim meanwhile is only read by SELECTs, which lock nothing.
-- guard
SELECT JSON_ARRAYAGG(JSON_OBJECT('key', s.concurrency_key, 'job_id', s.job_id,
	'class_name', s.class_name, 'position', s.position)) INTO @dray_gone
FROM {include:distinct_ids :jobs} d
STRAIGHT_JOIN dray_slots s FORCE INDEX (index_dray_slots_on_job_id) ON s.job_id = d.id
{include:claim_and_ready_row s.job_id}
WHERE c.id IS NULL AND r.id IS NULL
HAVING COUNT(*) > 0;
DELETE s
FROM JSON_TABLE(@dray_gone, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key', job_id bigint PATH '$.job_id')) x
STRAIGHT_JOIN dray_slots s FORCE INDEX (PRIMARY)
	ON s.concurrency_key = x.name AND s.job_id = x.job_id;
SELECT JSON_ARRAYAGG(JSON_OBJECT('key', f.name, 'count', f.count, 'duration_ms', f.duration_ms,
	'most', f.slots - (
		SELECT {include:slots_in_use f.name})))
	INTO @dray_freed
FROM (
	SELECT x.name, COUNT(*) AS count, MAX(l.slots) AS slots,
		MAX(COALESCE(l.duration_ms, 180000)) AS duration_ms
	FROM JSON_TABLE(@dray_gone, '$[*]' COLUMNS (
		name varchar(255) {as_jobs} PATH '$.key',
		class_name varchar(255) {as_jobs} PATH '$.class_name',
		position int PATH '$.position')) x
	LEFT JOIN dray_classes l FORCE INDEX (PRIMARY)
		ON l.class_name = x.class_name AND l.position = x.position
	GROUP BY x.name) f;
UPDATE JSON_TABLE(@dray_freed, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key',
	count int PATH '$.count',
	most int PATH '$.most',
	duration_ms bigint PATH '$.duration_ms')) f
STRAIGHT_JOIN {include:semaphore f.name}
SET s.value = GREATEST(0, LEAST(s.value + f.count, COALESCE(f.most, s.value + f.count))),
	s.expires_at = {include:after_now f.duration_ms};

-- @postgresql
-- Takes back the slots of those of these jobs that neither run nor are ready any more. A slot is
-- a row, so it comes back once however often this runs. Where fewer of a key's slots are held
-- than its semaphore knows, the semaphore does not grow above what its class may have.
WITH gone AS (
	DELETE FROM dray_slots s WHERE s.job_id = ANY (:jobs::bigint[])
		AND {include:neither_runs_nor_is_ready s.job_id}
	RETURNING concurrency_key, class_name, position
), freed AS (
	SELECT gone.concurrency_key AS key, count(*) AS count, max(l.slots) AS slots,
		max(COALESCE(l.duration_ms, 180000)) AS duration_ms
	FROM gone
	LEFT JOIN dray_classes l ON l.class_name = gone.class_name AND l.position = gone.position
	GROUP BY gone.concurrency_key
)
UPDATE solid_queue_semaphores s
SET value = GREATEST(0, LEAST(s.value + freed.count, freed.slots - (
		SELECT {include:slots_in_use freed.key}))),
	expires_at = {include:after_now freed.duration_ms}
FROM freed WHERE s.key = freed.key;

-- @sqlite
-- Takes back the slots of those of these jobs that neither run nor are ready any more. A slot is
-- a row, so it comes back once however often this runs. Where fewer of a key's slots are held
-- than its semaphore knows, the semaphore does not grow above what its class may have.
UPDATE solid_queue_semaphores
SET value = max(0, min(value + freed.count, COALESCE(freed.slots - (
		SELECT {include:slots_in_use freed.key}), value + freed.count))),
	expires_at = {include:after_now freed.duration_ms}
FROM (
	SELECT s.concurrency_key AS key, count(*) AS count, max(l.slots) AS slots,
		max(COALESCE(l.duration_ms, 180000)) AS duration_ms
	FROM dray_slots s
	LEFT JOIN dray_classes l ON l.class_name = s.class_name AND l.position = s.position
	WHERE s.job_id {in:jobs}
		AND {include:neither_runs_nor_is_ready s.job_id}
	GROUP BY s.concurrency_key) freed
WHERE solid_queue_semaphores.key = freed.key;
DELETE FROM dray_slots WHERE job_id {in:jobs}
	AND {include:neither_runs_nor_is_ready dray_slots.job_id};
