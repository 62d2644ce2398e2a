-- finish_recorded(claims, failures, keep, now) -> claim_name
-- Does what finish does for classes with `history: all`: the runs, whose ends `failures` tells as for
-- fail, but without an error, are written into the history, too.
{include:finish_as 'finished'};
