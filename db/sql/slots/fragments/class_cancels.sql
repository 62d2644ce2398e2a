-- Does the class of the job j have a limit with on_conflict "cancel_running"?
CASE WHEN EXISTS (SELECT 1 FROM dray_classes l
	WHERE l.class_name = j.class_name AND l.on_conflict = 'cancel_running') THEN 1 ELSE 0 END
