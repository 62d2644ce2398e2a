-- limits_of(class_name) -> key_template, group_name
-- Returns what a class declares about concurrency, as far as its jobs' keys depend on it, by
-- position.
-- read
-- rows
SELECT key_template, group_name FROM dray_classes
WHERE class_name = :class_name AND slots IS NOT NULL ORDER BY position;
