-- Records what is known of the process that is gone, and how many of its jobs run again
-- and how many have ended.
INSERT INTO dray_gone (process_id, kind, name, hostname, pid, last_heartbeat_at, how, gone_at,
	released, failed)
SELECT :process_id, :kind, :name, :hostname, :pid, :last_heartbeat_at, :how, :now,
	{include:lost_counts}
