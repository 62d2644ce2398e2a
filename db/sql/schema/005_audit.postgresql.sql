-- 005 audit: what people have done to queues and jobs: who, where, when, why, and to how many.

CREATE TABLE dray_audit (
	id bigserial PRIMARY KEY,
	action varchar NOT NULL,
	target text NOT NULL,
	reason text,
	who varchar,
	host varchar,
	count bigint NOT NULL,
	state varchar NOT NULL,
	created_at timestamp(6) NOT NULL
);
CREATE INDEX index_dray_audit_on_created_at ON dray_audit (created_at);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (5, 'audit', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');
