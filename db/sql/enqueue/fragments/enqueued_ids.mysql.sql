-- The ids of the jobs enqueued now.
SELECT x.id FROM {include:ids @dray_jobs} x ORDER BY x.id
