-- process_deregister(process_id, now) -> released
-- Deletes the process's row and gives its claims back to ready. A claim of a finished job just
-- goes, and so do notes that concern its runs. NONE when there was no such row.
-- guard
DELETE FROM solid_queue_processes WHERE id = :process_id;

-- @mysql
{include:lock_held};
{include:ready_again {include:held_claims}};
DELETE c FROM {include:held_claims};
-- rows
SELECT COALESCE(JSON_LENGTH(@dray_claims), 0);
{include:drop_ended};

-- @postgresql
-- rows
WITH done AS (
	DELETE FROM solid_queue_claimed_executions WHERE process_id = :process_id
	RETURNING id, job_id
), ready AS (
	{include:ready_again}
)
SELECT count(*) FROM done;
{include:drop_ended};

-- @sqlite
{include:ready_again c.process_id = :process_id};
DELETE FROM solid_queue_claimed_executions WHERE process_id = :process_id;
-- rows
SELECT changes();
{include:drop_ended};
