-- process_deregister(process_id, now) -> released
-- Deletes the process's row and gives its claims back to ready. A claim of a finished job just
-- goes, and so do notes that concern its runs. NONE when there was no such row.
-- guard
DELETE FROM solid_queue_processes WHERE id = :process_id;
{include:ready_again c.process_id = :process_id};
DELETE FROM solid_queue_claimed_executions WHERE process_id = :process_id;
-- rows
SELECT changes();
{include:drop_ended};
