-- queue_paused(queue) -> created_at
-- Since when a queue is paused; no row: it is not.
-- read
-- rows
SELECT created_at FROM solid_queue_pauses WHERE queue_name = :queue;
