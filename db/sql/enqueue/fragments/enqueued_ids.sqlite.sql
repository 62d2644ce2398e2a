-- The ids of the jobs enqueued now.
SELECT j.id FROM solid_queue_jobs j WHERE {include:j_is_enqueued} ORDER BY j.id
