-- pause(queue, now) ->
-- Changing no row means that the queue was paused already.
-- guard
INSERT INTO solid_queue_pauses (queue_name, created_at)
SELECT :queue, :now FROM (SELECT 1) one
WHERE NOT EXISTS (SELECT 1 FROM solid_queue_pauses WHERE queue_name = :queue);
