#include "tests/support/jobs/why.h"

void why_look(struct test_db *test, int64_t id, const struct loss_policy *policy,
	      struct why_look *look)
{
	const struct prune patience = { 0, CLOCK_MINUTE, CLOCK_MINUTE };

	*look = (struct why_look){ .job = find_job(test, id) };
	look->facts = (struct why_facts){ .job = &look->job,
					  .details = &look->details,
					  .policy = policy };
	must(job_details_read, test->db, test->arena, &look->job, &look->details);
	must(why_read, test->db, test->arena, &patience, &look->facts);
	why_explain(test->arena, &look->facts, &look->why);
}
