-- slots_of(jobs) -> concurrency_key, class_name, position, several
-- Lists the keys that these jobs are limited by. several: there are jobs with several keys in
-- the database.
-- read
-- rows
SELECT concurrency_key, class_name, 0, CASE WHEN EXISTS (SELECT 1 FROM dray_keys) THEN 1 ELSE 0 END
FROM solid_queue_jobs
WHERE id {in:jobs} AND concurrency_key IS NOT NULL
GROUP BY concurrency_key, class_name
UNION ALL
SELECT k.concurrency_key, j.class_name, k.position, 1 FROM dray_keys k
JOIN solid_queue_jobs j ON j.id = k.job_id
WHERE k.job_id {in:jobs}
GROUP BY k.concurrency_key, j.class_name, k.position;
