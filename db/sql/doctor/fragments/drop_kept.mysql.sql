-- Deletes the {it} executions of the jobs in @dray_kept, which stay in another table.
DELETE e
FROM {include:ids @dray_kept} x
STRAIGHT_JOIN {include:executions {it}}
