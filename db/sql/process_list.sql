-- process_list() -> id, kind, name, pid, hostname, supervisor_id, metadata, last_heartbeat_at, created_at, claims
-- read
-- rows
SELECT p.id, p.kind, p.name, p.pid, p.hostname, p.supervisor_id, p.metadata,
	p.last_heartbeat_at, p.created_at,
	(SELECT count(*) FROM solid_queue_claimed_executions c WHERE c.process_id = p.id)
FROM solid_queue_processes p ORDER BY p.id;
