-- pause_end(kind, name, since, now) ->
-- Ends a pause whose time has come. NONE when it is another pause by now, or has been prolonged.
-- A queue that somebody else has paused again stays paused.
-- guard
DELETE FROM dray_pauses
WHERE kind = :kind AND name = :name AND created_at = :since AND ends_at <= :now;
DELETE FROM solid_queue_pauses
WHERE :kind = 'queue' AND queue_name = :name AND created_at = :since;
