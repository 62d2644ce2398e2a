-- slots_adopt(jobs, now) ->

-- @mysql
-- Gives those of these jobs that run or are ready without a slot from dray (Solid Queue let them
-- in) their slot row from now on. Slot rows of jobs that have finished, failed or gone are
-- deleted: other software has ended the job, and returned its slot or leaked it, which is for
-- healing to see. What others claim meanwhile is only read by SELECTs, which lock nothing.
-- guard
SELECT JSON_ARRAYAGG(JSON_OBJECT('key', s.concurrency_key, 'job_id', s.job_id)) INTO @dray_ended
FROM {include:distinct_ids :jobs} d
LEFT JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = d.id
LEFT JOIN dray_slots s FORCE INDEX (index_dray_slots_on_job_id) ON s.job_id = d.id
{include:claim_and_ready_row d.id}
LEFT JOIN solid_queue_failed_executions f
	FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON f.job_id = d.id
WHERE CASE WHEN s.job_id IS NULL
		THEN j.concurrency_key IS NOT NULL AND (c.id IS NOT NULL OR r.id IS NOT NULL)
		ELSE c.id IS NULL AND r.id IS NULL
			AND (j.id IS NULL OR j.finished_at IS NOT NULL OR f.id IS NOT NULL) END
HAVING COUNT(*) > 0;
DELETE s
FROM JSON_TABLE(@dray_ended, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key', job_id bigint PATH '$.job_id')) x
STRAIGHT_JOIN dray_slots s FORCE INDEX (PRIMARY)
	ON s.concurrency_key = x.name AND s.job_id = x.job_id;
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT j.concurrency_key, j.id, j.class_name, 0, :now
FROM {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
LEFT JOIN dray_slots s FORCE INDEX (index_dray_slots_on_job_id) ON s.job_id = j.id
{include:claim_and_ready_row j.id}
WHERE j.concurrency_key IS NOT NULL AND s.job_id IS NULL
	AND (c.id IS NOT NULL OR r.id IS NOT NULL)
{include:unless_there dray_slots};

-- @postgresql
-- Gives those of these jobs that run or are ready without a slot from dray (Solid Queue let them
-- in) their slot row from now on. Slot rows of jobs that have finished, failed or gone are
-- deleted: other software has ended the job, and returned its slot or leaked it, which is for
-- healing to see.
WITH ended AS (
	DELETE FROM dray_slots s WHERE s.job_id = ANY (:jobs::bigint[])
		AND {include:neither_runs_nor_is_ready s.job_id}
		AND NOT EXISTS (SELECT 1 FROM solid_queue_jobs j
			WHERE j.id = s.job_id AND j.finished_at IS NULL AND NOT EXISTS (
				SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = j.id))
)
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT j.concurrency_key, j.id, j.class_name, 0, CAST(:now AS timestamp) FROM solid_queue_jobs j
WHERE j.id {in:jobs} AND j.concurrency_key IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM dray_slots s WHERE s.job_id = j.id)
	AND {include:runs_or_is_ready j.id}
ON CONFLICT (concurrency_key, job_id) DO NOTHING;

-- @sqlite
-- Gives those of these jobs that run or are ready without a slot from dray (Solid Queue let them
-- in) their slot row from now on. Slot rows of jobs that have finished, failed or gone are
-- deleted: other software has ended the job, and returned its slot or leaked it, which is for
-- healing to see. The + keeps SQLite from starting at the index on finished_at.
DELETE FROM dray_slots WHERE job_id {in:jobs}
	AND {include:neither_runs_nor_is_ready dray_slots.job_id}
	AND NOT EXISTS (SELECT 1 FROM solid_queue_jobs j
		WHERE j.id = dray_slots.job_id AND +j.finished_at IS NULL AND NOT EXISTS (
			SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = j.id));
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT j.concurrency_key, j.id, j.class_name, 0, :now FROM solid_queue_jobs j
WHERE j.id {in:jobs} AND j.concurrency_key IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM dray_slots s WHERE s.job_id = j.id)
	AND {include:runs_or_is_ready j.id}
ON CONFLICT (concurrency_key, job_id) DO NOTHING;
