-- The task known in dray_recurring_tasks and the new one have the same at {it} of their settings.
JSON_UNQUOTE(JSON_EXTRACT(dray_recurring_tasks.settings, {it}))
	<=> JSON_UNQUOTE(JSON_EXTRACT(VALUES(settings), {it}))
