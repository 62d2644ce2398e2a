-- process_rewind(heartbeat_after, now) ->
-- Heartbeats from the future, left by a clock that has been set back since, count as made now: who
-- lives beats again, and who is dead is seen to be so.
UPDATE solid_queue_processes SET last_heartbeat_at = :now
WHERE last_heartbeat_at > :heartbeat_after;
