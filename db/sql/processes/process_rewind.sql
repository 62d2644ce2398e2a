-- process_rewind(heartbeat_after, now) ->
-- Sets heartbeats from the future, left by a clock that has been set back since, to now: a
-- process that lives beats again, and a dead one is seen to be dead.
UPDATE solid_queue_processes SET last_heartbeat_at = :now
WHERE last_heartbeat_at > :heartbeat_after;
