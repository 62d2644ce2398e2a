/*
 * Another configuration. A role that runs alone starts its program anew in the same process, if the
 * change concerns it; under a supervisor another process takes its place. A process that may hold
 * long runs (role.h) is leaving first: it takes nothing new and ends what it holds, without a
 * limit; shutdown_timeout is for stopping. Under a supervisor the other one works meanwhile, with
 * the threads that this one does not need any more (control.h).
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/hash.h"
#include "common/log/log.h"
#include "process/runner_state.h"

#define ENTRY_SIZE 64
#define LOOK       CLOCK_SECOND /* in case a message of the others was lost */

static bool has_runs(const struct runner *runner)
{
	return runner->role->idle && !runner->role->idle(&runner->context);
}

void runner_leave(struct runner *runner, const char *reason)
{
	if (runner->leaves || runner->stop)
		return;
	if (!runner->started) {
		runner_ask(runner, STOP_GRACEFUL, reason);
		return;
	}
	runner->leaves = reason;
	runner->leaving_since = db_now(runner->member.db);
	runner->context.leaving = true;
	log_event(LOG_INFO, "process.leaving", LOG_TEXT("name", runner->member.name),
		  LOG_TEXT("reason", reason),
		  LOG_INT("runs", runner->role->runs(&runner->context)));
	runner_describe(runner);
	runner->tick_at = clock_monotonic();
	if (!runner->context.presumed_dead)
		runner->beat_at = runner->tick_at;
}

/* The configuration as the files are now, to be freed; NULL if it cannot be used (logged). */
static struct config *check(const struct runner *runner, struct config_diff *diff)
{
	const struct runner_options *options = runner->options;
	char outcome[SOURCE_OUTCOME_SIZE];
	struct config *next = source_load(options->source, options->config, false, diff, outcome);

	if (!next)
		log_event(LOG_ERROR, "reload.refused", LOG_TEXT("reason", outcome),
			  LOG_TEXT("then", runner->leaves ? "claims nothing until a reload works"
							  : "the configuration stays as it was"));
	return next;
}

/* The files may have changed since it began to leave: with a mistake it would not start again. */
void runner_end_leaving(struct runner *runner)
{
	if (!runner->leaves || runner->stop || runner->refused || has_runs(runner))
		return;
	if (runner->restart) {
		struct config_diff diff;
		struct config *next = check(runner, &diff);
		runner->refused = !next;
		if (!next)
			return;
		config_free(next);
		service_reloading(&runner->service);
	}
	runner_ask(runner, STOP_GRACEFUL, runner->leaves);
}

/*
 * Also when the tick has failed: that nothing more is claimed is true in any case. One that is
 * stopping says it, too: it may have a replacement before it has ended.
 */
static void say_runs(const struct runner *runner)
{
	const struct runner_options *options = runner->options;
	const struct role_context *context = &runner->context;

	if (!(context->leaving || context->stopping) || !options->control || !runner->role->runs)
		return;
	if (control_say(options->control, options->slot, runner->role->runs(&runner->context)))
		runner_notify(runner, NOTICE_ROOM, NULL);
}

enum status runner_tick_role(struct runner *runner, int64_t *wait, struct error *error)
{
	const struct runner_options *options = runner->options;
	struct role_context *context = &runner->context;

	if (options->control)
		context->others =
			control_others(options->control, options->others, options->other_count);
	enum status status = runner->role->tick(context, wait, error);
	if (context->others > 0)
		*wait = clock_earlier(*wait, LOOK);
	if (context->leaving && !runner->refused && !has_runs(runner))
		*wait = 0;
	say_runs(runner);
	return status;
}

/* handed over by the supervisor */

static uint64_t hash_environment(void)
{
	uint64_t hash = HASH_START;

	for (char **variable = environ; variable && *variable; variable++)
		hash = hash_number(hash_text(hash, *variable), 0);
	return hash;
}

void runner_expect_reload(struct runner *runner)
{
	runner->seen = runner->options->seen;
	runner->environment = hash_environment();
}

/*
 * The supervisor's environment stays what it was at its start; ours does not if a function, or a
 * library that it uses, sets a variable. Then the same texts may mean something else here.
 */
static enum status adopt(struct runner *runner, const struct config_text texts[CONFIG_TEXTS],
			 struct error *error)
{
	struct config *config;
	enum status status = config_again(&config, runner->options->config, texts, error);

	if (status != STATUS_OK)
		return status;
	if (hash_environment() == runner->environment)
		status = runner->role->adopt(&runner->context, config, error);
	else
		status = error_set(error, STATUS_INVALID,
				   "the environment is not what it was when the process started: "
				   "a function of a module has changed it");
	if (status != STATUS_OK)
		config_free(config);
	return status;
}

void runner_take_over(struct runner *runner)
{
	struct control *control = runner->options->control;
	struct config_text texts[CONFIG_TEXTS];
	struct error error = { 0 };

	if (!control || !runner->role->adopt || !runner->started || runner->stop ||
	    control_is_leaving(control, runner->options->slot))
		return;
	struct arena *arena = arena_new();
	if (control_handed(control, &runner->seen.text_changes, arena, texts)) {
		runner->outdated = adopt(runner, texts, &error) != STATUS_OK;
		if (runner->outdated)
			log_event(LOG_WARN, "process.outdated",
				  LOG_TEXT("name", runner->member.name),
				  LOG_TEXT("error", error.text),
				  LOG_TEXT("then", "another process takes its place"));
		control_answer(control, runner->options->slot, runner->seen.text_changes);
		runner_describe(runner);
		runner->tick_at = runner->beat_at = runner->notice_at = clock_monotonic();
	}
	arena_free(arena);
}

/* alone */

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
	unsigned parts = runner->role->parts | runner->role->adopts | PART_FIXED | PART_LOG |
			 PART_SUPERVISOR;

	if (diff->parts & parts)
		return true;
	for (size_t i = 0; i < diff->count; i++)
		if (diff->list[i].part == PART_ENTRIES && is_ours(runner, diff->list[i].path))
			return true;
	return false;
}

void runner_reload(struct runner *runner)
{
	struct config_diff diff;

	if (!runner->options->source || runner->stop)
		return;
	log_event(LOG_INFO, "reload.begun", LOG_END);
	struct config *next = check(runner, &diff);
	if (!next)
		return;
	runner->refused = false;
	runner->restart = runner->leaves || concerns(runner, &diff);
	log_event(LOG_INFO, "reload.done", LOG_INT("changes", diff.count),
		  LOG_TEXT("then", runner->restart ? "restart" : NULL));
	config_free(next);
	if (!runner->restart || runner->leaves)
		return;
	if (runner->role->runs) {
		runner_leave(runner, "reload");
		return;
	}
	service_reloading(&runner->service);
	runner_ask(runner, STOP_GRACEFUL, "reload");
}
