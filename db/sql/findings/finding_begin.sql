-- finding_begin(epoch, ends_at, name, subject, queue, since, said, advice, dead, now) ->
-- The leader remembers that it has said this, unless it is remembered already (after an uncertain
-- commit). NONE: it does not lead any more.
{include:leads};

-- @mysql
INSERT INTO dray_findings (name, subject, queue_name, since, said, advice, dead, began_at, told)
SELECT :name, :subject, :queue, :since, :said, :advice, :dead, :now, false
FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM dray_findings f
	WHERE f.name = :name AND f.subject = :subject AND f.queue_name = :queue
		AND f.ended_at IS NULL);

-- @postgresql @sqlite
INSERT INTO dray_findings (name, subject, queue_name, since, said, advice, dead, began_at, told)
SELECT CAST(:name AS varchar), CAST(:subject AS text), CAST(:queue AS text), :since, :said, :advice,
	:dead, :now, false
WHERE NOT EXISTS (SELECT 1 FROM dray_findings f
	WHERE f.name = CAST(:name AS varchar) AND f.subject = CAST(:subject AS text)
		AND f.queue_name = CAST(:queue AS text) AND f.ended_at IS NULL);
