-- leader_take(name, epoch, ends_at, now, latest) -> epoch
-- Takes the lead with the next number if this one has ended or was ours. No row when others have
-- taken it. A lead that ends later than any can is from before the clock was set back.

-- @mysql
INSERT INTO dray_leaders (id, name, epoch, ends_at)
SELECT 1, '', 0, :now FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM dray_leaders d WHERE d.id = 1);
{include:take_lead};
-- rows
SELECT epoch FROM dray_leaders WHERE id = 1 AND name = :name AND epoch = :epoch + 1;

-- @postgresql @sqlite
INSERT INTO dray_leaders (id, name, epoch, ends_at)
SELECT 1, '', 0, :now WHERE NOT EXISTS (SELECT 1 FROM dray_leaders d WHERE d.id = 1);
{include:take_lead};
-- rows
SELECT epoch FROM dray_leaders WHERE id = 1 AND name = :name AND epoch = :epoch + 1;
