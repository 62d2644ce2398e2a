-- process_goodbye(process_id, now) ->
-- A process without a supervisor that leaves in good order says goodbye for its host: dray_gone has
-- a row without a `how`.
INSERT INTO dray_gone (process_id, kind, name, hostname, pid, last_heartbeat_at, how, gone_at,
	released, failed)
SELECT p.id, p.kind, p.name, p.hostname, p.pid, :now, '', :now, 0, 0
FROM solid_queue_processes p WHERE p.id = :process_id AND p.supervisor_id IS NULL;
