-- resume(queue) ->
-- Changing no row means that the queue was not paused.
-- guard
DELETE FROM solid_queue_pauses WHERE queue_name = :queue;
