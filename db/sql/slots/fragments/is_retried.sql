-- The job {it} failed before, and is tried again. Where the history does not have that (it failed under
-- Rails), a person retried it, who leaves runs_before.
((SELECT h.job_id FROM dray_attempts h {index:index_dray_attempts_on_job_id_and_id}
		WHERE h.job_id = {it} AND h.outcome IN ('failed', 'retried') LIMIT 1) IS NOT NULL
	OR (SELECT lost.job_id FROM dray_losses lost {index:PRIMARY}
		WHERE lost.job_id = {it} AND lost.runs_before <> 0) IS NOT NULL)
