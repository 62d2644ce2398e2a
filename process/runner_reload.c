/*
 * Another configuration for a role that runs alone: if it concerns the role, the role finishes and
 * its program starts anew in the same process.
 */
#include <stdio.h>
#include <string.h>

#include "common/log/log.h"
#include "process/runner_state.h"

#define ENTRY_SIZE 64

/* Is it "workers[0]", or "scheduler", of which there is one, or one of its tasks? */
static bool is_ours(const struct runner *runner, const char *path)
{
	char list[ENTRY_SIZE];
	const char *word = runner->role->word;

	int length = snprintf(list, sizeof(list), "%ss[%zu]", word, runner->options->entry);
	if (strncmp(path, list, (size_t)length) == 0)
		return true;
	if (strcmp(word, "scheduler") == 0 &&
	    strncmp(path, "recurring.", strlen("recurring.")) == 0)
		return true;
	return strncmp(path, word, strlen(word)) == 0 && strchr(".", path[strlen(word)]);
}

static bool concerns(const struct runner *runner, const struct config_diff *diff)
{
	unsigned parts = runner->role->parts | PART_FIXED | PART_LOG | PART_SUPERVISOR;

	if (diff->parts & parts)
		return true;
	for (size_t i = 0; i < diff->count; i++)
		if (diff->list[i].part == PART_ENTRIES && is_ours(runner, diff->list[i].path))
			return true;
	return false;
}

void runner_reload(struct runner *runner)
{
	const struct config_source *source = runner->options->source;
	struct config_diff diff;
	char outcome[SOURCE_OUTCOME_SIZE];

	if (!source || runner->stop)
		return;
	log_event(LOG_INFO, "reload.begun", LOG_END);
	struct config *next = source_load(source, runner->options->config, false, &diff, outcome);
	if (!next) {
		log_event(LOG_ERROR, "reload.refused", LOG_TEXT("reason", outcome),
			  LOG_TEXT("then", "the configuration stays as it was"));
		return;
	}
	runner->restart = concerns(runner, &diff);
	log_event(LOG_INFO, "reload.done", LOG_INT("changes", diff.count),
		  LOG_TEXT("then", runner->restart ? "restart" : NULL));
	config_free(next);
	if (!runner->restart)
		return;
	service_reloading(&runner->service);
	runner_ask(runner, STOP_GRACEFUL, "reload");
}
