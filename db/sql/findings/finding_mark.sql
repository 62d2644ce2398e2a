-- finding_mark(epoch, ends_at, id, away_since, ended_at, told) ->
-- The leader notes how far this one has come. NONE: it does not lead any more.
{include:leads};
UPDATE dray_findings SET away_since = :away_since, ended_at = :ended_at, told = :told WHERE id = :id;
