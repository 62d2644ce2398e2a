-- finding_forget(epoch, ends_at, id) ->
-- The leader forgets one that has ended, which was said. NONE: it does not lead any more.
{include:leads};
DELETE FROM dray_findings WHERE id = :id;
