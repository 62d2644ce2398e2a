/* Decides whether there is a scheduler, and whether there is anything else. */
#include <stdlib.h>
#include <string.h>

#include "config/files/reader.h"

/* What Rails takes for false; any other text is true. */
static bool is_true(const char *text)
{
	static const char *const falsehoods[] = { "0", "f", "F", "false", "FALSE", "off", "OFF" };
	for (size_t i = 0; i < sizeof(falsehoods) / sizeof(*falsehoods); i++)
		if (strcmp(text, falsehoods[i]) == 0)
			return false;
	return true;
}

/* What says so, an option or a variable; NULL = nothing does. */
static const char *by(enum config_said said, const char *option, const char *variable)
{
	if (said != SAID_NOTHING)
		return said == SAID_YES ? option : NULL;
	/* No other thread runs yet. NOLINTNEXTLINE(concurrency-mt-unsafe) */
	const char *value = getenv(variable);
	return value && *value && is_true(value) ? variable : NULL;
}

void switches_read(struct config *config, const struct config_request *request)
{
	config->skips_recurring =
		by(request->skip_recurring, "--skip-recurring", "SOLID_QUEUE_SKIP_RECURRING");
	config->only_recurring =
		by(request->only_recurring, "--only-recurring", "SOLID_QUEUE_ONLY_RECURRING");
}

static bool has_tasks(const struct config_scheduler *scheduler)
{
	return scheduler && (scheduler->task_count > 0 || scheduler->dynamic_tasks_enabled);
}

static void leave_scheduler(struct reader *reader)
{
	struct config *config = reader->config;
	config->worker_count = 0;
	config->dispatcher_count = 0;
	if (!has_tasks(config->scheduler) && !report_failed(reader->report))
		report_error(reader->report, (struct place){ .file = config->only_recurring },
			     "nothing is left to run: there are no recurring tasks, expected some "
			     "in %s, or scheduler: {dynamic_tasks_enabled: true}",
			     config->files[2].path);
}

void switches_apply(struct reader *reader)
{
	struct config *config = reader->config;
	report_scope(reader->report, NEED_ROLES);
	if (config->skips_recurring && config->only_recurring) {
		report_error(reader->report, (struct place){ .file = config->only_recurring },
			     "together with %s nothing is left to run, expected one of them",
			     config->skips_recurring);
		return;
	}
	if (config->skips_recurring)
		config->scheduler = NULL;
	if (config->only_recurring)
		leave_scheduler(reader);
}
