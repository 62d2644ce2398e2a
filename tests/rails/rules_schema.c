/* The tables: what Rails sees of them. */
#include <signal.h>
#include <string.h>

#include "tests/rails/shared.h"

/* Neither adopting the tables nor working on them changes what Rails writes into its schema file.
 */
static void a_dump_is_what_it_would_be_without_us(void **state)
{
	struct site *site = shared_open_unadopted(*state);
	const char *before = ruby(site->arena, "dump(/^dray/)");

	assert_contains(before, "solid_queue_ready_executions");
	(void)site_dray(site, "db", "migrate");
	shared_start(site, "[dray]");
	site_await(site, shared_put(site, "DrayJob, 1, queue: %q(dray)"), JOB_FINISHED);
	(void)site_stop(site, SIGTERM);
	assert_string_equal(ruby(site->arena, "dump(/^dray/)"), before);
	shared_close(site);
}

const struct test_case shared_schema[] = {
	RULE("15", a_dump_is_what_it_would_be_without_us),
};
const size_t shared_schema_count = sizeof(shared_schema) / sizeof(shared_schema[0]);
