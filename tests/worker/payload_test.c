/* A job whose payload is none fails before anything of its class runs. */
#include "rig.h"
#include "tests/support/database.h"

static struct rig rig;

RIG_CASE(a_payload_is_read_before_the_job_starts)
{
	static const char *const classes[] = { "CommandJob", "FailSilentlyJob", "CrashJob" };
	static const char *const payloads[] = {
		"", "nonsense", "[]", "{}", "{\"arguments\":null}", "{\"arguments\":{}}"
	};

	/* Each of these classes fails in a way of its own when it runs. */
	(void)rig_command(&rig, "CommandJob", RIG_SHELL("exit 1"));
	(void)rig_module(&rig, "FailSilentlyJob", "probe");
	(void)rig_isolated(&rig, "CrashJob", "unruly");
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		for (size_t k = 0; k < sizeof(payloads) / sizeof(payloads[0]); k++) {
			int64_t id = rig_enqueue(&rig, classes[i], NULL);
			sql_execute(rig.db,
				    "UPDATE solid_queue_jobs SET arguments = '%s'"
				    " WHERE id = %lld",
				    payloads[k], (long long)id);
			struct job job = rig_run(&rig, id);
			assert_string_equal(rig_failure_of(&rig, &job).exception_class,
					    "Dray::PayloadError");
		}
}

GROUP(rig_quiet, NULL);
