-- refused_over(now, forget_before) ->
-- Jobs that were set aside long enough may be tried again. That they were is remembered for a time,
-- so that the next pause is longer.
DELETE FROM dray_pauses WHERE kind = 'refused_before' AND ends_at <= :forget_before;
UPDATE dray_pauses SET kind = 'refused_before' WHERE kind = 'refused' AND ends_at <= :now;
