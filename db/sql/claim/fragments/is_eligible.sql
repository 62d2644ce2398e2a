-- The ready job r is eligible for this worker.
{include:class_is_taken}
AND {include:class_is_not_paused}
AND {include:not_lost_too_often}
AND {include:is_not_set_aside r.job_id}
