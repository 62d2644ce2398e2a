#include "worker/worker.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "queue/processes/shared.h"
#include "queue/settle/cancellations.h"
#include "queue/settle/settle.h"
#include "worker/exec/exec.h"
#include "worker/module/module.h"
#include "worker/report.h"
#include "worker/state.h"
#include "worker/stop.h"
#include "worker/tick.h"

#define CLASSES_SHOWN 16384 /* bytes in the metadata, which every heartbeat writes */

static bool has_processes(const struct config *config)
{
	for (size_t i = 0; i < config->class_count; i++)
		if (config->classes[i].handler == HANDLER_COMMAND ||
		    handler_isolated(&config->classes[i]))
			return true;
	return false;
}

static void make_room(struct worker *worker)
{
	const size_t count = (size_t)worker->options->threads + ASIDE_MOST;

	runs_open(&worker->runs, worker->arena, worker, count);
	worker->pending = arena_array(worker->arena, count, sizeof(struct run *));
	worker->outcomes = arena_array(worker->arena, count, sizeof(*worker->outcomes));
	worker->holders = arena_array(worker->arena, count, sizeof(struct run *));
	worker->held = arena_array(worker->arena, count, sizeof(*worker->held));
}

static const char *describe_shared(const struct worker *worker, const struct shared *shared)
{
	if (!shared->shared)
		return "other software does not share the tables";
	return arena_printf(worker->arena, "other software shares the tables: %s", shared->why);
}

/*
 * Whether to pass over jobs of unknown classes from the start, because there will be many; else a
 * worker that leaves them waits until it meets one (queue/claim/unknown.c).
 */
static enum status decide_unknown(struct worker *worker, struct db *db, bool *pass,
				  struct error *error)
{
	struct shared shared = { 0 };
	enum status status;

	*pass = worker->options->unknown_classes == UNKNOWN_LEAVE;
	if (worker->options->unknown_classes != UNKNOWN_AUTO)
		return STATUS_OK;
	status = shared_look(db, worker->arena, config_other_class(worker->config), &shared, error);
	if (status == STATUS_OK && shared.others > 0)
		status = shared_remember(db, error);
	if (status != STATUS_OK)
		return status;
	*pass = shared.shared;
	log_event(LOG_INFO, "worker.unknown_classes", LOG_TEXT("taken", "leave"),
		  LOG_TEXT("reason", describe_shared(worker, &shared)));
	return STATUS_OK;
}

/*
 * What was remembered for other classes is of no use any more: that a claim found nothing, and
 * which classes are unknown.
 */
static void name_classes(struct worker *worker)
{
	struct claim_request *claim = &worker->claim;
	const struct handlers *handlers = worker->edition->handlers;

	claim->only_classes = NULL;
	claim->only_count = 0;
	claim->unknown = (struct claim_unknown){ 0 };
	claim->idle = false;
	memset(claim->places, 0, sizeof(claim->places));
	if (worker->passes) {
		claim->only_classes = handlers->names;
		claim->only_count = handlers->name_count;
	} else if (worker->options->unknown_classes == UNKNOWN_FAIL) {
		claim->other_classes = handlers->others;
		claim->other_count = handlers->other_count;
	} else { /* there are no classes of others: they would mean that the tables are shared */
		claim->unknown.known = handlers->names;
		claim->unknown.known_count = handlers->name_count;
	}
}

static enum status set_claim(struct worker *worker, const struct role_context *context,
			     struct error *error)
{
	struct claim_request *claim = &worker->claim;
	enum status status = decide_unknown(worker, context->db, &worker->passes, error);

	claim->selector = &worker->selector;
	claim->process_id = context->process_id;
	last_chance_open(worker);
	if (status == STATUS_OK)
		name_classes(worker);
	return status;
}

static enum status open_parts(struct worker *worker, struct error *error)
{
	const struct config_worker *options = worker->options;
	enum status status = selector_compile(worker->arena, options->queues, options->queue_count,
					      &worker->selector, error);

	if (status == STATUS_OK)
		status = handlers_require(worker->config, error);
	if (status == STATUS_OK)
		status = handlers_open(worker->arena, worker->config, NULL,
				       &worker->edition->handlers, error);
	if (status == STATUS_OK)
		status = pool_open(&worker->pool, (size_t)options->threads, module_run,
				   worker->loop, error);
	if (status == STATUS_OK && has_processes(worker->config))
		status = exec_open(worker, error);
	if (status == STATUS_OK)
		hosts_open(worker);
	return status;
}

static void free_worker(struct worker *worker)
{
	struct arena *arena = worker->arena;

	exec_close(worker);
	runs_close(&worker->runs);
	edition_drop(worker->edition);
	arena_free(worker->tick_arena);
	arena_free(arena);
}

static enum status worker_start(struct role_context *context, struct error *error)
{
	struct arena *arena = arena_new();
	struct worker *worker = arena_alloc(arena, sizeof(*worker));
	enum status status;

	worker->arena = arena;
	worker->edition = arena_alloc(arena, sizeof(*worker->edition));
	worker->edition->users = 1;
	worker->tick_arena = arena_new();
	worker->config = context->config;
	worker->options = &context->config->workers[context->entry];
	worker->loop = context->loop;
	worker->servers_met = db_servers_met(context->db);
	worker->error_maximum = db_text_maximum(context->db);
	worker->null_fd = -1;
	worker->kill_at = worker->offer_at = CLOCK_NEVER;
	worker->sweeps.look_at = worker->sweeps.reap_at = CLOCK_NEVER;
	make_room(worker);
	module_runs_prepare();
	status = open_parts(worker, error);
	if (status == STATUS_OK)
		status = set_claim(worker, context, error);
	if (status == STATUS_OK)
		status = batches_look(context->db, &worker->batches, error);
	if (status != STATUS_OK) {
		(void)pool_close(worker->pool);
		free_worker(worker);
		return status;
	}
	context->state = worker;
	return STATUS_OK;
}

static void begin_edition(struct worker *worker, struct edition *edition)
{
	hosts_adopt(worker, edition->handlers);
	edition_drop(worker->edition);
	edition->users = 1;
	worker->edition = edition;
	if (worker->options->unknown_classes == UNKNOWN_AUTO && config_other_class(edition->config))
		worker->passes = true;
	name_classes(worker);
	worker->next_poll = 0; /* it may know jobs that it has passed over */
}

/* Runs end with what they began with; all that is not of a class stays as it was at the start. */
static enum status worker_adopt(struct role_context *context, struct config *config,
				struct error *error)
{
	struct worker *worker = context->state;
	struct edition *edition = arena_alloc(config->arena, sizeof(*edition));
	const struct config_class *gone = config_module_gone(worker->config, config);
	enum status status = handlers_require(config, error);

	edition->config = config;
	if (status == STATUS_OK && gone)
		return error_set(error, STATUS_INVALID,
				 "class %s: this worker has loaded its module", gone->name);
	if (status == STATUS_OK)
		status = handlers_open(config->arena, config, worker->edition->handlers,
				       &edition->handlers, error);
	if (status == STATUS_OK && !worker->buffer && has_processes(config))
		status = exec_open(worker, error);
	if (status != STATUS_OK)
		return status;
	FAULT_POINT("worker.adopting");
	begin_edition(worker, edition);
	FAULT_POINT("worker.adopted");
	log_event(LOG_INFO, "worker.reloaded", LOG_TEXT("name", context->name),
		  LOG_INT("classes", config->class_count),
		  LOG_INT("runs", runs_busy(&worker->runs) - aside_spare(worker)));
	return STATUS_OK;
}

static void worker_stop(struct role_context *context)
{
	struct worker *worker = context->state;

	atomic_store(&worker->stopping, true);
	runs_release_held(worker);
	hosts_stop(worker);
}

static int64_t worker_hurry(struct role_context *context)
{
	FAULT_POINT("worker.hurrying");
	return run_stop_all(context->state,
			    context->presumed_dead ? STOP_FOR_LOSS : STOP_FOR_SHUTDOWN);
}

/* One that leaves has no limit: it goes on offering what was refused, or these jobs run again. */
static bool worker_idle(const struct role_context *context)
{
	const struct worker *worker = context->state;
	const bool waits = context->leaving && !context->stopping;

	return runs_busy(&worker->runs) == (waits ? 0 : worker->aside_count);
}

static size_t worker_runs(const struct role_context *context)
{
	const struct worker *worker = context->state;

	return runs_busy(&worker->runs) - aside_spare(worker);
}

static void kill_commands(struct worker *worker)
{
	for (size_t i = 0; i < worker->runs.count; i++) {
		struct run *run = &worker->runs.all[i];

		if (run->taken && !run->ended && run->exec)
			exec_kill(run);
	}
}

/*
 * Exit handlers of libraries must not free what an abandoned thread still uses. Ours is registered
 * last and so runs first.
 */
static void leave_without_handlers(int status, void *context)
{
	(void)context;
	_exit(status);
}

/* What has ended is written if the database answers. */
static void settle_last(struct role_context *context)
{
	const struct worker *worker = context->state;
	struct error error;

	if (worker->healthy && worker_settle_last(context, &error) != STATUS_OK)
		log_event(LOG_WARN, "worker.results_lost", LOG_TEXT("error", error.text));
}

/*
 * What still runs is killed or, on a thread, abandoned with everything it uses: the process is
 * about to end. Results come first, because killing may take a while.
 */
static void worker_close(struct role_context *context)
{
	struct worker *worker = context->state;

	if (!worker)
		return;
	hosts_look(worker);
	runs_release_held(worker);
	settle_last(context);
	FAULT_POINT("worker.closing");
	kill_commands(worker);
	hosts_close(worker);
	sweeps_finish(worker);
	settle_last(context);
	aside_give_up(worker);
	FAULT_POINT("worker.emptied");
	context->state = NULL;
	if (pool_close(worker->pool))
		free_worker(worker);
	else
		(void)on_exit(leave_without_handlers, NULL);
}

/* So that others can say which jobs no worker takes; one that fails the others takes all. */
static void describe_classes(const char *key, const char *const classes[], size_t count,
			     struct text *metadata)
{
	struct text list = { .maximum = CLASSES_SHOWN + strlen("[]") };

	text_json_texts(&list, classes, count);
	if (!list.truncated)
		text_printf(metadata, ",\"%s\":%s", key, text_string(&list));
	text_free(&list);
}

static struct served worker_serves(const struct config *config, size_t entry)
{
	const struct config_worker *worker = &config->workers[entry];

	return (struct served){ (const char *const *)worker->queues, worker->queue_count };
}

static void worker_describe(const struct role_context *context, struct text *metadata,
			    struct text *title)
{
	const struct worker *worker = context->state;
	const struct config_worker *options = worker->options;
	const struct claim_request *claim = &worker->claim;
	const struct handlers *handlers = worker->edition->handlers;

	text_printf(metadata, "\"polling_interval\":%.9g,\"queues\":",
		    (double)options->polling_interval / (double)CLOCK_SECOND);
	text_json(metadata, worker->selector.text);
	text_printf(metadata, ",\"thread_pool_size\":%d," CANCEL_METADATA, options->threads);
	describe_classes("classes", handlers->names, handlers->name_count, metadata);
	if (options->unknown_classes == UNKNOWN_FAIL)
		text_add(metadata, ",\"unknown_classes\":\"fail\"");
	if (claim->other_count > 0)
		describe_classes("other_classes", claim->other_classes, claim->other_count,
				 metadata);
	slow_describe(worker, metadata);
	text_printf(title, "worker %s %zu/%d busy", worker->selector.text, worker_runs(context),
		    options->threads);
}

/* While a job runs on a thread, only what its run had from the start may be read. */
static void dump_run(const struct worker *worker, size_t number, int64_t now)
{
	const struct run *run = &worker->runs.all[number];
	const struct job *job = &run->claim.job;
	bool runs = run->exec && !run->ended;

	log_event(LOG_INFO, "worker.job", LOG_INT("run", number), LOG_INT("job", job->id),
		  LOG_TEXT("class", job->class_name), LOG_TEXT("queue", job->queue),
		  LOG_INT("claim", run->claim.id),
		  LOG_TEXT("state", run->ended ? "ended, not written" : "running"),
		  log_ms("started_ms", run->started_at, now),
		  runs ? LOG_INT("command_pid", run->exec->pid) : LOG_TEXT("command_pid", NULL));
}

static void worker_dump(const struct role_context *context)
{
	const struct worker *worker = context->state;
	int64_t now = clock_monotonic();

	log_event(LOG_INFO, "worker.state", LOG_TEXT("queues", worker->selector.text),
		  LOG_INT("runs", worker->options->threads),
		  LOG_INT("claims", runs_busy(&worker->runs)),
		  LOG_INT("unwritten", worker->pending_count),
		  LOG_INT("refused", worker->aside_count),
		  LOG_INT("threads", pool_threads(worker->pool)),
		  LOG_TEXT("last_round_trip", worker->healthy ? "ok" : "failed"),
		  LOG_TEXT("commit", worker->uncertain ? "uncertain" : NULL),
		  log_ms("poll_in_ms", now, worker->quiet ? 0 : worker->next_poll));
	for (size_t i = 0; i < worker->runs.count; i++)
		if (worker->runs.all[i].taken)
			dump_run(worker, i, now);
}

const struct role worker_role = {
	.kind = "Worker",
	.word = "worker",
	.section = "workers",
	.tier = TIER_WORKERS,
	.serves = worker_serves,
	.parts = PART_COMMON | PART_DATABASE | PART_MODULES,
	.adopts = PART_JOBS,
	.start = worker_start,
	.tick = worker_tick,
	.tend = worker_tend,
	.adopt = worker_adopt,
	.stop = worker_stop,
	.hurry = worker_hurry,
	.told = worker_told,
	.idle = worker_idle,
	.runs = worker_runs,
	.close = worker_close,
	.describe = worker_describe,
	.dump = worker_dump,
};
