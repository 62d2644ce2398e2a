-- Records 001 for tables that Rails has made.
INSERT INTO dray_migrations (version, name, applied_at, adopted)
VALUES (1, 'solid_queue', strftime('%Y-%m-%d %H:%M:%f', 'now'), true);
