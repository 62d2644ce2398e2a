-- Takes from the semaphores of the keys t.name the t.count slots that are given away now, and
-- puts off when they expire.
STRAIGHT_JOIN {include:semaphore t.name}
SET s.value = s.value - t.count, s.expires_at = {include:after_now t.duration_ms}
