-- process_heartbeat(process_id, name, supervisor_id, metadata, now) ->
-- Records that the process lives. Changing no row means that the process was declared dead, or
-- that this is another database by now (a backup was restored), where the id is another
-- process's; or that a job which it runs was cancelled (process_heartbeat_told). The row is always
-- found by its id.
-- guard
UPDATE solid_queue_processes
SET last_heartbeat_at = :now, supervisor_id = :supervisor_id, metadata = :metadata
WHERE id = :process_id AND COALESCE(name, '') = :name AND NOT EXISTS (
	SELECT 1 FROM dray_cancellations x WHERE x.process_id = :process_id);
