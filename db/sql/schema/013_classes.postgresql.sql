-- 013 classes: what classes declare, published once for all: their policies in the row with position 0,
-- beside the first of their limits, and further limits in rows of their own. The table of limits goes:
-- every process that starts with a jobs.yml writes what it had.

CREATE TABLE dray_classes (
	class_name character varying NOT NULL,
	position integer NOT NULL,
	max_losses integer,
	slots integer,
	duration_ms bigint,
	on_conflict character varying,
	key_template text,
	group_name character varying,
	updated_at timestamp(6) NOT NULL,
	PRIMARY KEY (class_name, position)
);
DROP TABLE IF EXISTS dray_limits;

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (13, 'classes', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');
