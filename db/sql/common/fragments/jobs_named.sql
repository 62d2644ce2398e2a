-- These jobs, as j; the condition is_named goes with it.
solid_queue_jobs j
