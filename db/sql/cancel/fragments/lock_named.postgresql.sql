-- Locks those of the claims that :claims names that are still there: the statements that follow see the
-- notes of all that were cancelled.
SELECT id FROM solid_queue_claimed_executions
WHERE id = ANY (ARRAY(SELECT x.id FROM json_to_recordset(:claims::json) AS x(id bigint)))
ORDER BY id
FOR UPDATE
