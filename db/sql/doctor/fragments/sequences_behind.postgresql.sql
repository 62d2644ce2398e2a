-- The sequences that will give out a number that a row of their table has: where each of them
-- stands, and the highest number there is.
(
	SELECT q.sequence, q.most, COALESCE(pg_sequence_last_value(q.sequence), 0) AS value
	FROM (
		SELECT pg_get_serial_sequence(t.relation::regclass::text, 'id')::regclass AS sequence, t.most
		FROM (
			{include:highest_id solid_queue_jobs}
			UNION ALL
			{include:highest_id solid_queue_ready_executions}
			UNION ALL
			{include:highest_id solid_queue_claimed_executions}
			UNION ALL
			{include:highest_id solid_queue_scheduled_executions}
			UNION ALL
			{include:highest_id solid_queue_blocked_executions}
			UNION ALL
			{include:highest_id solid_queue_failed_executions}
			UNION ALL
			{include:highest_id solid_queue_semaphores}
			UNION ALL
			{include:highest_id solid_queue_processes}
			UNION ALL
			{include:highest_id solid_queue_pauses}
			UNION ALL
			{include:highest_id solid_queue_recurring_tasks}
			UNION ALL
			{include:highest_id solid_queue_recurring_executions}
			UNION ALL
			{include:highest_id dray_audit}
			UNION ALL
			{include:highest_id dray_gone}
			UNION ALL
			{include:highest_id dray_attempts}
		) t
		WHERE t.most > 0
	) q
	WHERE CASE WHEN has_sequence_privilege(q.sequence, 'select, usage')
		THEN COALESCE(pg_sequence_last_value(q.sequence), 0) < q.most END
)
