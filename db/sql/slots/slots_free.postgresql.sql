-- slots_free(jobs, now) ->
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
