-- Records a migration whose tables were there before: made by Rails, or loaded from a dump.
INSERT INTO dray_migrations (version, name, applied_at, adopted)
VALUES ({version}, {name}, CURRENT_TIMESTAMP AT TIME ZONE 'UTC', true);
