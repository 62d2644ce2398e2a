-- process_list() -> id, kind, name, pid, hostname, supervisor_id, metadata, last_heartbeat_at, created_at, claims, paused_at, paused_until, who, reason
-- Lists all processes, each with how many jobs it has claimed and what pauses it.
-- read
-- rows
SELECT p.id, p.kind, p.name, p.pid, p.hostname, p.supervisor_id, p.metadata,
	p.last_heartbeat_at, p.created_at,
	(SELECT count(*) FROM solid_queue_claimed_executions c WHERE c.process_id = p.id),
	d.created_at, d.ends_at, d.who, d.reason
FROM solid_queue_processes p
LEFT JOIN dray_pauses d ON d.process_id = p.id
ORDER BY p.id;
