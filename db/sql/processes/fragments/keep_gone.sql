-- Records what is known of the process that is gone, and how many of its jobs are ready again
-- and how many have failed; {it} is for lost_counts.
INSERT INTO dray_gone (process_id, kind, name, hostname, pid, last_heartbeat_at, how, gone_at,
	released, failed)
SELECT :process_id, :kind, :name, :hostname, :pid, :last_heartbeat_at, :how, :now,
	{include:lost_counts {it}}
