-- pause_forget(name, since) ->
-- Deletes what we know of a queue's pause that is over because somebody else has resumed the
-- queue.
DELETE FROM dray_pauses
WHERE kind = 'queue' AND name = :name AND created_at = :since AND NOT EXISTS (
	SELECT 1 FROM solid_queue_pauses s WHERE s.queue_name = :name AND s.created_at = :since);
