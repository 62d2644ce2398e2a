-- How many losses a job of j's class survives: as the class declares (unless :alike = 1), or else
-- :max_losses.
COALESCE(CASE WHEN :alike = 0 THEN {include:own_bound j.class_name} END, :max_losses)
