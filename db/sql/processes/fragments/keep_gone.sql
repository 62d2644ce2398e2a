-- Keeps what is known of the process that is gone, and what has become of its jobs; lost_counts counts
-- those, and is told {it}.
INSERT INTO dray_gone (process_id, kind, name, hostname, pid, last_heartbeat_at, how, gone_at,
	released, failed)
SELECT :process_id, :kind, :name, :hostname, :pid, :last_heartbeat_at, :how, :now,
	{include:lost_counts {it}}
