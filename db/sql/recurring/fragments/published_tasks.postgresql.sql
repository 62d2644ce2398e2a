-- The tasks of :tasks as a table.
json_to_recordset(:tasks::json) AS x(key text, rails text, command text, class_name text,
	arguments text, queue_name text, priority integer, description text)
