-- recurring_list() -> key, static, schedule, command, class_name, arguments, queue_name, priority, description, updated_at, settings, since, paused_at, paused_by, paused_host, pause_reason, resumed_at, run_at, outcome, job_id, run_state, rails
-- Lists every task that was published or added, and what is known of its last run.
-- read
-- rows
{include:recurring_of_rails}
UNION ALL
{include:recurring_of_dray}
WHERE NOT EXISTS (SELECT 1 FROM solid_queue_recurring_tasks s WHERE s.key = o.task_key)
ORDER BY 1;
