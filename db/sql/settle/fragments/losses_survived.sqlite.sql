-- How many losses a job of j's class survives.
COALESCE((
SELECT value ->> 'max_losses' FROM json_each(:classes)
WHERE value ->> 'class_name' = j.class_name), :max_losses)
