-- The semaphore s of the key {it}.
solid_queue_semaphores s FORCE INDEX (index_solid_queue_semaphores_on_key) ON s.`key` = {it}
