-- The process is not paused, and has its row: it was not presumed dead.
(SELECT COUNT(*) FROM dray_pauses d WHERE d.process_id = :process_id) = 0
AND (SELECT o.id FROM solid_queue_processes o WHERE o.id = :process_id) IS NOT NULL
