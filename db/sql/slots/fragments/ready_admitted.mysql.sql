-- Who is admitted now is ready.
{include:insert_ready}
FROM {include:admitted_jobs}
{include:unless_there}
