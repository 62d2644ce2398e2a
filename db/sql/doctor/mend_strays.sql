-- mend_strays(jobs) ->
-- Deletes the execution rows of jobs that do not exist or are finished. Neither is ever undone,
-- so what was seen still holds; a worker that runs such a job finds its claim lost.
{include:delete_strays ready};
{include:delete_strays scheduled};
{include:delete_strays claimed};
{include:delete_strays blocked};
{include:delete_strays failed};
