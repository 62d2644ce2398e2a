-- error_of_run(job_id, id) -> error
-- Returns the error of a run in the history.
-- read
-- rows
SELECT a.error FROM dray_attempts a {index:index_dray_attempts_on_job_id_and_id}
WHERE a.job_id = :job_id AND a.id = :id;
