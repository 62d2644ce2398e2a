-- queue_paused(queue) -> created_at
-- Tells since when a queue is paused; no row: it is not paused.
-- read
-- rows
SELECT created_at FROM solid_queue_pauses WHERE queue_name = :queue;
