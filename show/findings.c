#include "show/findings.h"

#include <inttypes.h>
#include <string.h>

#include "common/clock.h"
#include "queue/recurring/task.h"
#include "show/findings_look.h"

/* In whole seconds: how long since then? */
static const char *age(const struct look *look, int64_t since)
{
	const int64_t passed = db_now(look->db) - since; /* below 0: the clock was set back */

	return clock_say_span(look->arena, clock_whole(passed > 0 ? passed : 0));
}

/* Processes */

static bool anybody(const struct look *look)
{
	for (size_t i = 0; i < look->servers.count; i++)
		if (!look->servers.list[i].silent &&
		    !kind_is_watcher(look->servers.list[i].row.kind))
			return true;
	return false;
}

static void add_everybody(struct look *look)
{
	findings_add(look, (struct finding){
				   .name = "nothing_running",
				   .text = look->heads.count > 0
						   ? "No process is running, and jobs are ready."
						   : "No process is running.",
				   .advice = "Run `dray start`.",
				   .dead = true });
}

#define SOON (10 * CLOCK_SECOND) /* a worker is replaced in less, if it can be */

static bool stays_outdated(const struct server *server, int64_t now)
{
	return server->outdated_since != 0 && server->leaving_since == 0 &&
	       now - server->outdated_since >= SOON;
}

/* What a living process says of itself. */
static void add_process(struct look *look, const struct server *server)
{
	const struct process_row *row = &server->row;
	const char *host = row->hostname ? row->hostname : "an unknown host";
	const char *who =
		arena_printf(look->arena, "%s (process %d on %s)", row->name, row->pid, host);
	struct finding finding = { .subject = row->name };

	if (server->given_up) {
		finding.name = "child_given_up";
		finding.text = arena_printf(look->arena,
					    "The supervisor on %s (process %d) has given up: %s.",
					    host, row->pid, server->given_up);
		finding.advice = "Its log says why; `dray reload` makes it try again (after an "
				 "upgrade, restart it).";
		findings_add(look, finding);
	}
	if (server->held) {
		finding.name = "process_held";
		finding.text = arena_printf(look->arena,
					    "%s claims nothing: it waits for a worker that is "
					    "leaving after a reload and has not said that it "
					    "claims no more.",
					    who);
		finding.advice = "`dray processes` shows that worker; if it is frozen, kill it.";
		findings_add(look, finding);
	}
	if (server->trouble) {
		finding.name = "process_troubled";
		finding.since = server->trouble_since;
		finding.text = arena_printf(
			look->arena, "%s has not been able to work since %s UTC: %s.", who,
			clock_say(look->arena, server->trouble_since), server->trouble);
		finding.advice = "It tries again and again, and goes on when that is mended.";
		findings_add(look, finding);
	}
	if (stays_outdated(server, db_now(look->db))) {
		finding.name = "process_outdated";
		finding.since = server->outdated_since;
		finding.text = arena_printf(look->arena,
					    "%s could not take over the reload of %s UTC and goes "
					    "on with the files that it has: it is replaced when "
					    "the workers of fewer earlier configurations are "
					    "leaving (`max_leaving`).",
					    who, clock_say(look->arena, server->outdated_since));
		finding.advice = "`dray reload` names the jobs that these still end.";
		findings_add(look, finding);
	}
}

static void add_missing_role(struct look *look, const struct role *role, const char *what,
			     bool dead)
{
	findings_add(look,
		     (struct finding){
			     .name = arena_printf(look->arena, "no_%s", role->word),
			     .text = arena_printf(look->arena, "No %s is running%s%s.", role->word,
						  what ? ", and " : "", what ? what : ""),
			     .advice = "Start one: `dray processes` shows what runs where.",
			     .dead = dead });
}

static bool is_needed(const struct look *look, const struct role *role)
{
	const struct role *const *needed = look->request->needed;

	while (needed && *needed && *needed != role)
		needed++;
	return needed && *needed;
}

/* The roles for which work waits, whatever its queue, and those that the caller needs. */
static enum status add_roles(struct look *look, struct error *error)
{
	enum status status = STATUS_OK;

	for (const struct role *const *roles = look->request->roles; *roles && status == STATUS_OK;
	     roles++) {
		const struct role *role = *roles;
		const char *what = NULL;
		if (servers_have(&look->servers, role->kind))
			continue;
		if (role->waits)
			status = role->waits(look->db, look->arena, &what, error);
		if (what || is_needed(look, role))
			add_missing_role(look, role, what, is_needed(look, role));
	}
	return status;
}

/* Queues */

static bool is_other(const struct look *look, const char *queue)
{
	const char *wanted = look->request->queue;
	const size_t length = strlen(queue);

	return wanted &&
	       (strlen(wanted) != length || !db_same_name(look->db, wanted, queue, length));
}

#define SERVE "Start a worker that serves it (`workers` in queue.yml)."

static void add_unserved(struct look *look, const struct queue_head *head)
{
	const bool leaving = servers_leaving(look->db, &look->servers, head->queue) > 0;
	struct finding finding = { .name = leaving ? "queue_only_leaving" : "queue_unserved",
				   .subject = head->queue,
				   .queue = head->queue,
				   .since = head->since,
				   .dead = look->request->queue != NULL };

	finding.text =
		arena_printf(look->arena,
			     leaving ? "Only workers that are leaving after a reload serve the "
				       "queue %s, and they claim nothing: its job %" PRId64
				       " has been ready for %s."
				     : "No worker serves the queue %s, where the job %" PRId64
				       " has been ready for %s.",
			     head->queue, head->job, age(look, head->since));
	finding.advice =
		leaving ? "`dray processes` shows them; `dray reload` makes others start." : SERVE;
	findings_add(look, finding);
}

/* Are all threads of all workers that may claim its jobs taken? *threads: how many these are. */
static bool is_busy(const struct look *look, const char *queue, int64_t *threads)
{
	*threads = 0;
	for (size_t i = 0; i < look->servers.count; i++) {
		const struct server *server = &look->servers.list[i];
		if (!server_is_here(server) || server->paused || server->quiet ||
		    !server_serves(look->db, server, queue))
			continue;
		if (server->threads == 0 || server->row.claims < server->threads)
			return false;
		*threads += server->threads;
	}
	return *threads > 0;
}

static void add_late(struct look *look, const struct queue_head *head)
{
	struct arena *arena = look->arena;
	const int64_t most = servers_promise(look->db, &look->servers, head->queue);
	int64_t threads;

	if (most == 0 || db_now(look->db) - head->since <= most)
		return;
	const bool busy = is_busy(look, head->queue, &threads);
	const char *what =
		busy ? arena_printf(arena,
				    "The queue %s is late, and all threads of its workers (%" PRId64
				    ") are busy",
				    head->queue, threads)
		     : arena_printf(arena, "The queue %s is late", head->queue);
	findings_add(
		look,
		(struct finding){
			.name = busy ? "queue_busy" : "queue_late",
			.subject = head->queue,
			.queue = head->queue,
			.since = head->since + most,
			.text = arena_printf(arena,
					     "%s: its job %" PRId64
					     " has been ready for %s, and `late_after` is %s.",
					     what, head->job, age(look, head->since),
					     clock_say_span(arena, most)),
			.advice = busy ? "Start more workers, or give them more `threads`; `dray "
					 "jobs --slow` names jobs that take longer than usual."
				       : arena_printf(arena,
						      "`dray why %" PRId64
						      "` says what it waits for.",
						      head->job) });
}

/* The caller needs it, and no job waits there. */
static void add_idle_queue(struct look *look, const char *queue)
{
	if (servers_of(look->db, &look->servers, queue) > 0)
		return;
	findings_add(look, (struct finding){ .name = "queue_unserved",
					     .subject = queue,
					     .queue = queue,
					     .text = arena_printf(look->arena,
								  "No worker serves the queue %s.",
								  queue),
					     .advice = SERVE,
					     .dead = true });
}

/* What no worker serves is late, too, but that is not said twice. */
static void add_queues(struct look *look)
{
	bool waits = false;

	for (size_t i = 0; i < look->heads.count; i++) {
		const struct queue_head *head = &look->heads.list[i];
		if (is_other(look, head->queue))
			continue;
		waits = true;
		if (servers_of(look->db, &look->servers, head->queue) == 0)
			add_unserved(look, head);
		else
			add_late(look, head);
	}
	if (look->request->queue && !waits)
		add_idle_queue(look, look->request->queue);
}

static enum status add_unknown(struct look *look, struct error *error)
{
	struct unserveds unserved = { 0 };
	enum status status = STATUS_OK;

	for (size_t i = 0; i < look->heads.count && status == STATUS_OK; i++)
		if (!is_other(look, look->heads.list[i].queue))
			status = unserved_add(look->db, look->arena, &look->servers,
					      look->heads.list[i].queue, &unserved, error);
	for (size_t i = 0; i < unserved.count; i++) {
		const struct unserved *one = &unserved.list[i];
		findings_add(look, (struct finding){ .name = "class_unknown",
						     .subject = one->class_name,
						     .queue = one->queue,
						     .text = unserved_text(look->arena, one),
						     .advice = unserved_advice(
							     look->arena, look->request->config,
							     one->class_name) });
	}
	return status;
}

/* The queues of the commands in recurring.yml, possibly with repetitions. */
static const char **file_queues(const struct config *config, struct arena *arena, size_t *count)
{
	const struct config_scheduler *scheduler = config->scheduler;
	size_t tasks = scheduler ? scheduler->task_count : 0;
	const char **list = arena_array(arena, tasks + 1, sizeof(*list));

	*count = 0;
	for (size_t i = 0; i < tasks; i++)
		if (task_is_commanded(&scheduler->tasks[i]))
			list[(*count)++] = scheduler->tasks[i].queue;
	return list;
}

struct takers findings_takers(const struct db *db, struct arena *arena, const struct config *config,
			      const struct servers *servers, const struct recurring_row rows[],
			      size_t count)
{
	const struct config_class *class = config_class_find(config, RECURRING_COMMAND_CLASS);
	struct takers takers = { .of_class = class ? class->queue : NULL };

	takers.queues = file_queues(config, arena, &takers.queue_count);
	takers_find(db, arena, servers, rows, count, &takers);
	return takers;
}

static void add_takers(struct look *look)
{
	const struct takers takers = findings_takers(look->db, look->arena, look->request->config,
						     &look->servers, look->tasks, look->task_count);

	for (size_t i = 0; i < takers.count; i++) {
		const struct taker *taker = &takers.list[i];
		if (!is_other(look, taker->queue))
			findings_add(look, (struct finding){ .name = "queue_taken",
							     .subject = taker->queue,
							     .queue = taker->queue,
							     .text = taker->text,
							     .advice = TAKER_ADVICE });
	}
}

/* Recurring tasks */

#define TASK_FAILURES 3                 /* in a row; one of a task that runs once a day or less */
#define TASK_RARE     (23 * CLOCK_HOUR) /* a day with a change of the clocks */

/* What fell due in a pause is dropped, and of earlier occurrences nobody knows what they became. */
static void add_late_task(struct look *look, const struct task_shown *task)
{
	const struct recurring_row *row = task->row;
	const char *key = row->task.key;
	int64_t from = clock_later(row->last.run_at, db_now(look->db) - RECURRING_MEMORY);
	struct schedule_occurrence due;

	from = clock_later(from, clock_later(row->since, row->resumed_at));
	if (!recurring_next(&task->timing, from, &due))
		return;
	const int64_t late_at = due.instant + task->late_after + row->task.options.jitter;
	if (db_now(look->db) < late_at)
		return;
	findings_add(
		look,
		(struct finding){
			.name = "task_late",
			.subject = key,
			.since = late_at,
			.text = arena_printf(look->arena,
					     "The task %s was due at %s UTC (%s ago), and no job "
					     "of it was enqueued.",
					     key, clock_say(look->arena, due.instant),
					     age(look, due.instant)),
			.advice = "A scheduler does that: `dray processes` shows which one runs, "
				  "its log what it does." });
}

static bool is_rare(const struct recurring_timing *timing, int64_t run_at)
{
	struct schedule_occurrence one, other;

	return recurring_next(timing, run_at, &one) &&
	       (!recurring_next(timing, one.instant, &other) ||
		other.instant - one.instant >= TASK_RARE);
}

/* How many of the last runs have failed and wait for a person; *since: the first of them. */
static enum status count_failures(struct look *look, const char *key, int64_t most, int64_t *count,
				  int64_t *since, struct error *error)
{
	const struct recurring_page page = { .key = key, .limit = most };
	struct recurring_run *runs = NULL;
	size_t found = 0;
	enum status status = recurring_history(look->db, look->arena, &page, &runs, &found, error);

	for (*count = 0; (size_t)*count < found; (*count)++) {
		if (!runs[*count].state || strcmp(runs[*count].state, "failed") != 0)
			break;
		*since = runs[*count].run_at;
	}
	return status;
}

static enum status add_failing_task(struct look *look, const struct task_shown *task,
				    struct error *error)
{
	const struct recurring_row *row = task->row;
	const char *key = row->task.key;
	int64_t least = task->failures_after;
	int64_t count = 0, since = 0;

	if (!row->last.state || strcmp(row->last.state, "failed") != 0)
		return STATUS_OK;
	if (least == 0)
		least = is_rare(&task->timing, row->last.run_at) ? 1 : TASK_FAILURES;
	enum status status =
		count_failures(look, key, clock_later(least, TASK_FAILURES), &count, &since, error);
	if (count < least)
		return status;
	findings_add(
		look,
		(struct finding){
			.name = "task_failing",
			.subject = key,
			.since = since,
			.text = count > 1 ? arena_printf(look->arena,
							 "The last %" PRId64
							 " runs of the task %s have failed.",
							 count, key)
					  : arena_printf(look->arena,
							 "The last run of the task %s has failed.",
							 key),
			.advice = arena_printf(look->arena,
					       "`dray recurring history %s` lists them; `dray job "
					       "%" PRId64 "` shows the error.",
					       key, row->last.job_id) });
	return status;
}

/* Of Rails' tasks nobody but Rails knows what has become of them. */
static enum status add_task(struct look *look, struct zones *zones, const struct recurring_row *row,
			    struct error *error)
{
	if (!row->ours || row->paused_at > 0 || row->task.options.disabled)
		return STATUS_OK;
	const struct task_shown task = task_of_row(look->arena, zones, look->request->config, row);
	if (!task.timing.timer)
		return STATUS_OK;
	add_late_task(look, &task);
	return add_failing_task(look, &task, error);
}

static enum status add_tasks(struct look *look, struct error *error)
{
	struct zones *zones = zones_new(look->arena, NULL);
	enum status status = STATUS_OK;

	for (size_t i = 0; i < look->task_count && status == STATUS_OK; i++)
		status = add_task(look, zones, &look->tasks[i], error);
	return status;
}

/* The whole */

static enum status look_at_all(struct look *look, struct error *error)
{
	enum status status =
		recurring_rows(look->db, look->arena, &look->tasks, &look->task_count, error);

	if (status == STATUS_OK)
		status = add_roles(look, error);
	add_queues(look);
	for (size_t i = 0; i < look->servers.count; i++)
		if (!look->servers.list[i].silent)
			add_process(look, &look->servers.list[i]);
	if (status == STATUS_OK)
		status = add_unknown(look, error);
	add_takers(look);
	if (status != STATUS_OK || look->request->queue)
		return status;
	status = findings_add_hosts(look, error);
	return status == STATUS_OK ? add_tasks(look, error) : status;
}

enum status findings_read(struct db *db, struct arena *arena,
			  const struct findings_request *request, struct findings *findings,
			  struct error *error)
{
	struct look look = { .db = db, .arena = arena, .request = request, .findings = findings };
	enum status status = servers_read(db, arena, &request->patience, &look.servers, error);

	*findings = (struct findings){ 0 };
	if (status == STATUS_OK)
		status = queue_heads_read(db, arena, &look.heads, error);
	if (status != STATUS_OK)
		return status;
	if (anybody(&look))
		return look_at_all(&look, error);
	add_everybody(&look);
	return STATUS_OK;
}

bool findings_are_dead(const struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		if (findings->list[i].dead)
			return true;
	return false;
}

json_t *show_findings(const struct findings *findings)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->list[i];
		json_array_append_new(
			rows,
			json_pack("{s:s, s:o, s:o, s:o, s:b, s:o, s:o}", "name", finding->name,
				  "subject", value_text(finding->subject), "queue",
				  value_text(finding->queue), "since", value_time(finding->since),
				  "dead", finding->dead, "text", value_text(finding->text),
				  "advice", value_text(finding->advice)));
	}
	return rows;
}
