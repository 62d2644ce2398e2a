-- pause(queue, now) ->
-- Changing no row means that the queue was paused already.
-- guard
INSERT INTO solid_queue_pauses (queue_name, created_at) VALUES (:queue, :now)
ON CONFLICT (queue_name) DO NOTHING;
