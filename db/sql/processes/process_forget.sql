-- process_forget(process_id, heartbeat_before) ->
-- Deletes a process's row as process_lose does, and leaves its claims, which are orphans then. NONE
-- when there was no such row.
-- guard
DELETE FROM solid_queue_processes
WHERE id = :process_id AND (last_heartbeat_at <= :heartbeat_before OR :heartbeat_before IS NULL);
