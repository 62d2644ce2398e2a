-- gone_forget(hostname, since, target, reason, who, host, now) ->
-- Forgets which processes of a host have ended since a time. NONE: there were none.
-- guard
DELETE FROM dray_gone WHERE gone_at >= :since AND hostname = :hostname;
{include:audit_done 'forget host'};
