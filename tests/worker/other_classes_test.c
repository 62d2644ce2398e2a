/* Classes that others run (run_by: other): a worker leaves their jobs, whatever else it does. */
#include "common/text/text.h"
#include "rig.h"
#include "tests/support/wording.h"
#include "worker/handler.h"

static struct rig rig;

static int setup(void **state)
{
	(void)rig_set_up(state);
	rig_module(&rig, "RubyJob", "")->handler = HANDLER_NONE;
	return 0;
}

static void are_left_alone(enum config_unknown_classes unknown)
{
	rig.options.unknown_classes = unknown;
	rig_module(&rig, "NoopJob", "probe");
	rig_expect_left(&rig, "RubyJob");
}

#define OTHER_CASE(name) TEST_CASE(name, .set_up = setup, .tear_down = rig_tear_down, .state = &rig)

OTHER_CASE(they_are_left_where_others_fail)
{
	are_left_alone(UNKNOWN_FAIL);
	struct rig_failure failure = rig_fail(&rig, "NobodysJob", NULL);
	assert_wording("worker.unknown_class", failure.message);
}

OTHER_CASE(they_are_left_where_others_are_left)
{
	are_left_alone(UNKNOWN_LEAVE);
}

OTHER_CASE(a_worker_without_a_class_of_its_own_has_nothing_to_run)
{
	must_say("worker.no_class", STATUS_INVALID, handlers_require, &rig.config);
	rig_module(&rig, "NoopJob", "probe");
	must(handlers_require, &rig.config);
}

static void complain(void *context, bool doubt, const char *text)
{
	(void)context;
	(void)doubt;
	fail_msg("%s", text);
}

OTHER_CASE(there_is_nothing_to_check_of_them)
{
	assert_int_equal(handler_check(&rig.config, complain, NULL), 0);
}

/* So that `dray why` knows who takes what. */
OTHER_CASE(the_worker_says_which)
{
	rig.options.unknown_classes = UNKNOWN_FAIL;
	rig_module(&rig, "NoopJob", "probe");
	assert_contains(rig_describe(&rig, NULL), ",\"other_classes\":[\"RubyJob\"]");
}
