-- slots_free(jobs, now) ->
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
