-- The queue {it} is paused neither by its name nor by a pattern.
NOT EXISTS (SELECT 1 FROM solid_queue_pauses s WHERE s.queue_name = {it})
AND {include:no_pattern_pauses {it}}
