-- Makes those of the jobs of the lost runs ready again that were not lost too often.
{include:insert_ready}
FROM {include:lost_runs 'lost'}
{include:unless_there}
