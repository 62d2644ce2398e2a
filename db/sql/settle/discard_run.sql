-- discard_run(claims, failures, keep, now) -> claim_name
-- The runs of these claims failed in a way that ends their jobs: they are finished, and the history
-- says why. failures is as for fail. A claim that is gone is not returned.
{include:finish_as 'discarded'};
