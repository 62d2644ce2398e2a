-- Makes those of the lost jobs in @dray_lost ready again that were not lost too often.
{include:insert_ready}
FROM {include:lost_runs 'lost'}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
{include:unless_there solid_queue_ready_executions}
