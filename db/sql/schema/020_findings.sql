-- 020 findings: one process leads the deployment, and remembers what stands against it.

-- @mysql
--
-- DDL commits by itself here, so every statement can be repeated (019).

INSERT IGNORE INTO dray_migrations (version, name) VALUES (20, 'findings');

-- One row: who leads, for how long by the database's clock unless it says so again, and the how many-th
-- lead that is. What a leader writes is guarded by this number.
CREATE TABLE IF NOT EXISTS dray_leaders (
	id int NOT NULL PRIMARY KEY,
	name varchar(255) NOT NULL,
	epoch bigint NOT NULL,
	ends_at datetime(6) NOT NULL
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

-- What should happen and does not, since it was said until its end was told. subject, queue_name: '' =
-- none. away_since: it is not found any more. told: on_alarm has heard that it began.
CREATE TABLE IF NOT EXISTS dray_findings (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	name varchar(255) NOT NULL,
	subject text COLLATE utf8mb4_bin NOT NULL,
	queue_name text COLLATE utf8mb4_bin NOT NULL,
	since datetime(6),
	said text NOT NULL,
	advice text NOT NULL,
	dead tinyint(1) NOT NULL,
	began_at datetime(6) NOT NULL,
	away_since datetime(6),
	ended_at datetime(6),
	told tinyint(1) NOT NULL
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 20 AND applied_at IS NULL;

-- @postgresql

-- One row: who leads, for how long by the database's clock unless it says so again, and the how many-th
-- lead that is. What a leader writes is guarded by this number.
CREATE TABLE IF NOT EXISTS dray_leaders (
	id integer NOT NULL PRIMARY KEY,
	name varchar NOT NULL,
	epoch bigint NOT NULL,
	ends_at timestamp(6) NOT NULL
);

-- What should happen and does not, since it was said until its end was told. subject, queue_name: '' =
-- none. away_since: it is not found any more. told: on_alarm has heard that it began.
CREATE TABLE IF NOT EXISTS dray_findings (
	id bigserial PRIMARY KEY,
	name varchar NOT NULL,
	subject text NOT NULL,
	queue_name text NOT NULL,
	since timestamp(6),
	said text NOT NULL,
	advice text NOT NULL,
	dead boolean NOT NULL,
	began_at timestamp(6) NOT NULL,
	away_since timestamp(6),
	ended_at timestamp(6),
	told boolean NOT NULL
);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (20, 'findings', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');

-- @sqlite

-- One row: who leads, for how long by the database's clock unless it says so again, and the how many-th
-- lead that is. What a leader writes is guarded by this number.
CREATE TABLE IF NOT EXISTS dray_leaders (
	id integer PRIMARY KEY NOT NULL,
	name varchar NOT NULL,
	epoch bigint NOT NULL,
	ends_at datetime(6) NOT NULL
);

-- What should happen and does not, since it was said until its end was told. subject, queue_name: '' =
-- none. away_since: it is not found any more. told: on_alarm has heard that it began.
CREATE TABLE IF NOT EXISTS dray_findings (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	name varchar NOT NULL,
	subject text NOT NULL,
	queue_name text NOT NULL,
	since datetime(6),
	said text NOT NULL,
	advice text NOT NULL,
	dead boolean NOT NULL,
	began_at datetime(6) NOT NULL,
	away_since datetime(6),
	ended_at datetime(6),
	told boolean NOT NULL
);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (20, 'findings', strftime('%Y-%m-%d %H:%M:%f', 'now'));
