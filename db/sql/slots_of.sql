-- slots_of(jobs) -> concurrency_key, class_name, position
-- The keys that these jobs are limited by.
-- read
-- rows
SELECT concurrency_key, class_name, 0 FROM solid_queue_jobs
WHERE id {in:jobs} AND concurrency_key IS NOT NULL
GROUP BY concurrency_key, class_name;
