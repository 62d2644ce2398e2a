-- leader_renew(epoch, ends_at) ->
-- Leads on until then; gives the lead up where that is now. NONE: others have taken it.
{include:leads};
