-- What several operations of findings/ share (db/scripts/dialect.h).

-- @fragment leads
-- Leads until then, if it is still this lead: others have taken it where the number is another.
-- guard
UPDATE dray_leaders SET ends_at = :ends_at WHERE id = 1 AND epoch = :epoch

-- @fragment take_lead
-- The lead of this number becomes the next one, ours, if it is over.
UPDATE dray_leaders SET name = :name, epoch = epoch + 1, ends_at = :ends_at
WHERE id = 1 AND epoch = :epoch AND (ends_at <= :now OR ends_at > :latest OR name = :name)
