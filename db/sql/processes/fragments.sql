-- What several operations of processes/ share (db/scripts/dialect.h).

-- @fragment held_claims
-- The claims c that the process holds, as lock_held has found them.

-- @mysql
{include:ids @dray_claims} x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id

-- @fragment keep_gone
-- Records what is known of the process that is gone, and how many of its jobs run again
-- and how many have ended.
INSERT INTO dray_gone (process_id, kind, name, hostname, pid, last_heartbeat_at, how, gone_at,
	released, failed)
SELECT :process_id, :kind, :name, :hostname, :pid, :last_heartbeat_at, :how, :now,
	{include:lost_counts}

-- @fragment lock_held
-- Locks the claims that the process holds; their ids are in @dray_claims.

-- @mysql
SELECT JSON_ARRAYAGG(held.id) INTO @dray_claims FROM (
	SELECT c.id FROM solid_queue_claimed_executions c
		FORCE INDEX (index_solid_queue_claimed_executions_on_process_id_and_job_id)
	WHERE c.process_id = :process_id FOR UPDATE) held
