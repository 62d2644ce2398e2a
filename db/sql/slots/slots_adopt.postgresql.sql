-- slots_adopt(jobs, now) ->
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
