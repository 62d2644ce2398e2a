-- Records a migration whose tables were there before: made by Rails, or loaded from a dump.
INSERT INTO dray_migrations (version, name, applied_at, adopted)
VALUES ({version}, {name}, UTC_TIMESTAMP(6), true);
