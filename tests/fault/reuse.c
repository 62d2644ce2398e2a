#include "tests/fault/reuse.h"

struct reuse reuse_of(struct test_db *stage, int64_t process)
{
	const char *sql =
		arena_printf(stage->arena,
			     "SELECT COALESCE(min(id), 0) FROM"
			     " solid_queue_claimed_executions WHERE process_id = %" PRId64,
			     process);

	return (struct reuse){ .number = test_query_int(stage->url, sql) };
}

void reuse_begin(struct reuse *reuse, struct test_db *stage)
{
	static const char *const all[] = { "*", NULL };

	if (reuse->number == 0)
		return;
	set_claims_back(stage, reuse->number);
	reuse->thief = register_worker(stage->db, "thief");
	const struct claim *claims = take(stage, reuse->thief, all, 100, &reuse->taken);
	bool same = reuse->taken == 0;
	for (size_t i = 0; i < reuse->taken && !same; i++)
		same = claims[i].id == reuse->number;
	assert_true(same);
}

void reuse_end(const struct reuse *reuse, struct test_db *stage)
{
	int64_t released;

	if (reuse->thief == 0)
		return;
	must(process_deregister, stage->db, reuse->thief, &released);
	assert_int_equal(released, reuse->taken);
}
