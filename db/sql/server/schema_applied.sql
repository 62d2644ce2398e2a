-- schema_applied() -> version, name, applied_at, adopted, obstacle

-- @mysql @sqlite
-- What dray_migrations says; applied_at is NULL for a migration that was begun and not ended. What
-- keeps this login from working is looked for on PostgreSQL.
-- read
-- rows
SELECT version, name, applied_at, CASE WHEN adopted THEN 1 ELSE 0 END, NULL
FROM dray_migrations
ORDER BY version;

-- @postgresql
-- What dray_migrations says; applied_at is NULL for a migration that was begun and not ended. And
-- what keeps this login from working, NULL = nothing: settings under which foreign keys are not
-- kept, or sequences that it may not use although it may insert into their tables.
-- read
-- rows
SELECT version, name, applied_at, CASE WHEN adopted THEN 1 ELSE 0 END,
	CASE WHEN current_setting('session_replication_role') = 'replica'
		THEN 'session_replication_role is replica for this login, and foreign keys are not kept: '
			'set it to origin'
	ELSE (
		SELECT format('this login may insert rows but not number them: GRANT USAGE ON SEQUENCE %s TO %I',
			string_agg(s.oid::regclass::text, ', ' ORDER BY s.relname), current_user)
		FROM pg_class t
		JOIN pg_attrdef a ON a.adrelid = t.oid
		JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = a.oid
			AND d.refclassid = 'pg_class'::regclass
		JOIN pg_class s ON s.oid = d.refobjid
		WHERE t.relnamespace = (SELECT c.relnamespace FROM pg_class c
				WHERE c.oid = (SELECT m.tableoid FROM dray_migrations m ORDER BY m.version LIMIT 1))
			AND (substr(t.relname, 1, 12) = 'solid_queue_' OR substr(t.relname, 1, 5) = 'dray_')
			AND has_table_privilege(t.oid, 'insert')
			AND CASE WHEN s.relkind = 'S' THEN NOT has_sequence_privilege(s.oid, 'usage, update') END
		HAVING count(*) > 0) END
FROM dray_migrations
ORDER BY version;
