-- The process is not paused, and has its row: it was not presumed dead.
NOT EXISTS (SELECT 1 FROM dray_pauses d WHERE d.process_id = :process_id)
AND EXISTS (SELECT 1 FROM solid_queue_processes o WHERE o.id = :process_id)
