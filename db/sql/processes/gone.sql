-- gone(since, limit) -> process_id, kind, name, hostname, pid, last_heartbeat_at, how, released, failed, gone_at
-- Lists the processes that ended without deregistering since a time, the latest first; and those
-- without a supervisor that deregistered: their `how` is empty.
-- read
-- rows
SELECT process_id, kind, name, hostname, pid, last_heartbeat_at, how, released, failed, gone_at
FROM dray_gone WHERE gone_at >= :since ORDER BY gone_at DESC, id DESC LIMIT :limit;
