-- The process is not paused, and has its row: it was not presumed dead.
NOT EXISTS (SELECT FROM dray_pauses d WHERE d.process_id = :process_id)
AND EXISTS (SELECT FROM solid_queue_processes WHERE id = :process_id)
