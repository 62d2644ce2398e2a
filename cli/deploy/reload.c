#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/audit.h"
#include "cli/deploy/deploy.h"
#include "cli/output/table.h"
#include "common/clock.h"
#include "common/process.h"
#include "queue/processes/process.h"
#include "supervisor/pidfile.h"

#define PATIENCE (60 * CLOCK_SECOND) /* longer than a supervisor checks new files */
#define PAUSE    (50 * CLOCK_MILLISECOND)

struct reload_input {
	const char *pidfile;
	const char *reason;
};

#define BEFORE 3 /* as many as a supervisor tells, at least */

/* A reload that has an outcome. */
struct told {
	json_int_t number;
	int64_t begun_at; /* clock_monotonic of this host; 0 = not known */
	bool worked;
	const char *text;
	json_int_t unanswered; /* workers that have not taken it over yet */
};

/* The supervisor's last reload, from the metadata of its row; in the end that which was asked for.
 */
struct outcome {
	pid_t pid;
	const char *hostname; /* by its row */
	bool here;            /* this host's name, too */
	bool found;           /* its row was found */
	struct told told;
	struct told before[BEFORE]; /* the later first */
	size_t before_count;
	const char **leaving; /* the rows of the workers that still end their jobs */
	size_t leaving_count;
};

enum key { KEY_PIDFILE = 1, KEY_REASON };

static const struct argp_option options[] = {
	{ "pidfile", KEY_PIDFILE, "PATH", 0,
	  "the supervisor's pidfile (default: the setting supervisor_pidfile)", 0 },
	{ "reason", KEY_REASON, "TEXT", 0, "the reason, for `dray audit`", 0 },
	{ 0 },
};

static error_t reload_parse(int key, const char *value, struct argp_state *state)
{
	struct reload_input *input = state->input;

	if (key == KEY_PIDFILE)
		input->pidfile = value;
	else if (key == KEY_REASON)
		input->reason = record_reason(value, state);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static void read_leaving(struct cli *cli, const json_t *list, struct outcome *outcome)
{
	const size_t count = json_array_size(list);

	outcome->leaving = arena_array(cli->arena, count + 1, sizeof(*outcome->leaving));
	for (size_t i = 0; i < count; i++) {
		const char *name = json_string_value(json_array_get(list, i));
		if (name)
			outcome->leaving[outcome->leaving_count++] = arena_strdup(cli->arena, name);
	}
}

static struct told read_told(struct cli *cli, const json_t *root, json_int_t number)
{
	const char *text = json_string_value(json_object_get(root, "reload"));

	return (struct told){
		.number = number,
		.begun_at = json_integer_value(json_object_get(root, "reload_begun")),
		.worked = json_is_true(json_object_get(root, "reload_worked")),
		.text = text ? arena_strdup(cli->arena, text) : "",
		.unanswered = json_integer_value(json_object_get(root, "reload_unanswered")),
	};
}

static void read_metadata(struct cli *cli, const struct process_row *row, struct outcome *outcome)
{
	json_t *root = row->metadata ? json_loads(row->metadata, 0, NULL) : NULL;
	const json_t *before = json_object_get(root, "reloads_before");
	const json_int_t count = json_integer_value(json_object_get(root, "reloads"));

	outcome->found = true;
	outcome->told = read_told(cli, root, count);
	outcome->before_count = 0;
	for (size_t i = 0; i < json_array_size(before) && i < BEFORE; i++)
		outcome->before[outcome->before_count++] =
			read_told(cli, json_array_get(before, i), count - 1 - (json_int_t)i);
	read_leaving(cli, json_object_get(root, "leaving"), outcome);
	json_decref(root);
}

/*
 * Counts the living supervisors of this host, or only `wanted` if that is not 0; *outcome is that
 * of the last one. With `elsewhere` only those that other hosts have registered, by their rows:
 * this one may have been called so when they started.
 */
static size_t find_supervisors(struct cli *cli, const struct process_row rows[], size_t count,
			       pid_t wanted, bool elsewhere, struct outcome *outcome)
{
	char hostname[HOSTNAME_SIZE];
	size_t found = 0;

	process_hostname(hostname);
	for (size_t i = 0; i < count; i++) {
		const struct process_row *row = &rows[i];
		if (strcmp(row->kind, "Supervisor(fork)") != 0 || !row->hostname ||
		    (strcmp(row->hostname, hostname) != 0) != elsewhere ||
		    (wanted && row->pid != wanted) || !supervisor_is(row->pid))
			continue;
		outcome->pid = row->pid;
		outcome->hostname = arena_strdup(cli->arena, row->hostname);
		read_metadata(cli, row, outcome);
		found++;
	}
	return found;
}

static enum status look(struct cli *cli, pid_t wanted, struct outcome *outcome, size_t *found,
			struct error *error)
{
	struct process_row *rows;
	size_t count;
	enum status status = process_list(cli->db, cli->arena, &rows, &count, error);

	*outcome = (struct outcome){ .pid = wanted };
	*found = 0;
	if (status == STATUS_OK)
		*found = find_supervisors(cli, rows, count, wanted, false, outcome);
	outcome->here = *found > 0;
	if (status == STATUS_OK && *found == 0)
		*found = find_supervisors(cli, rows, count, wanted, true, outcome);
	return status;
}

static bool knows_database(const struct cli *cli)
{
	return (cli->config->faulty & NEED_DATABASE) == 0;
}

static int find_by_database(struct cli *cli, struct outcome *outcome)
{
	struct error error = { 0 };
	size_t found;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (look(cli, 0, outcome, &found, &error) != STATUS_OK)
		return cli_fail(&error);
	if (found == 1 && outcome->here)
		return EXIT_STOPPED;
	if (found > 0 && !outcome->here)
		cli_complain("no running `dray start` of this host is registered in the database, "
			     "but process %d of %s: if that was this host's name, choose it with "
			     "--pidfile, or send it HUP",
			     (int)outcome->pid, outcome->hostname);
	else
		cli_complain(found == 0 ? "no running `dray start` of this host is registered in "
					  "the database"
					: "several running `dray start` of this host use the "
					  "database: choose one with --pidfile");
	return EXIT_ERROR;
}

/*
 * If the database cannot be reached, the signal is sent all the same, but its outcome stays
 * unknown.
 */
static int find_by_pidfile(struct cli *cli, const char *pidfile, struct outcome *outcome)
{
	struct error error = { 0 };
	pid_t pid = 0;
	size_t found;

	if (pidfile_read(pidfile, &pid, &error) != STATUS_OK)
		return cli_fail(&error);
	if (!supervisor_is(pid)) {
		cli_complain("%s names process %d, which is not a running `dray start`", pidfile,
			     (int)pid);
		return EXIT_ERROR;
	}
	*outcome = (struct outcome){ .pid = pid };
	if (knows_database(cli) && (cli_database(cli, CLI_EXISTING, &error) != STATUS_OK ||
				    look(cli, pid, outcome, &found, &error) != STATUS_OK))
		cli_warn(cli, "%s", error.text);
	return EXIT_STOPPED;
}

/*
 * The supervisor judges the files, with the environment that it has: a variable that is not set
 * here may be set there. Here they only say where it is found.
 */
static int find(struct cli *cli, const char *pidfile, struct outcome *outcome)
{
	cli->request.keep_faulty = true;
	int code = cli_configure(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (!pidfile)
		pidfile = cli->config->process.supervisor_pidfile;
	if (pidfile)
		return find_by_pidfile(cli, pidfile, outcome);
	if (knows_database(cli))
		return find_by_database(cli, outcome);
	cli_complain("nothing was reloaded: without the database only --pidfile finds the running "
		     "`dray start`");
	return EXIT_USAGE;
}

/* Another reload may have been under way when ours was asked for; it has read older files. */
static bool is_ours(const struct told *told, json_int_t before, int64_t asked_at)
{
	return told->number > before && (told->begun_at == 0 || told->begun_at >= asked_at);
}

/* The first that read the files after we had asked: later ones were asked for by others. */
static bool take_ours(struct outcome *outcome, json_int_t before, int64_t asked_at)
{
	bool found = is_ours(&outcome->told, before, asked_at);

	for (size_t i = 0; i < outcome->before_count; i++)
		if (is_ours(&outcome->before[i], before, asked_at))
			outcome->told = outcome->before[i];
	return found;
}

/* False: there was no outcome in time, or the supervisor has ended. */
static bool await_outcome(struct cli *cli, struct outcome *outcome, int64_t asked_at)
{
	int64_t deadline = clock_monotonic() + PATIENCE;
	json_int_t before = outcome->told.number;
	pid_t pid = outcome->pid;

	while (clock_monotonic() < deadline) {
		struct error error = { 0 };
		size_t found;
		clock_sleep(PAUSE);
		if (look(cli, pid, outcome, &found, &error) == STATUS_OK && found > 0 &&
		    take_ours(outcome, before, asked_at))
			return true;
		if (!supervisor_is(pid))
			return false;
	}
	return false;
}

/* The jobs that keep workers of earlier configurations alive. */
static json_t *read_jobs(struct cli *cli, const struct outcome *outcome)
{
	json_t *jobs = json_array();

	for (size_t i = 0; i < outcome->leaving_count; i++) {
		struct error error = { 0 };
		struct held *list;
		size_t count;
		if (holds_read(cli->db, cli->arena, outcome->leaving[i], &list, &count, &error) !=
		    STATUS_OK) {
			cli_warn(cli, "%s", error.text);
			break;
		}
		for (size_t j = 0; j < count; j++)
			json_array_append_new(jobs, json_pack("{s:I, s:o, s:s}", "id",
							      (json_int_t)list[j].job, "class",
							      value_text(list[j].class_name),
							      "process", outcome->leaving[i]));
	}
	return jobs;
}

static void say_jobs(struct cli *cli, const struct outcome *outcome)
{
	struct error error = { 0 };
	const char *jobs;

	if (outcome->leaving_count == 0 || cli->json ||
	    holds_describe(cli->db, cli->arena, outcome->leaving, outcome->leaving_count, &jobs,
			   &error) != STATUS_OK ||
	    !jobs)
		return;
	say(cli, "%zu %s %s", outcome->leaving_count,
	    outcome->leaving_count == 1 ? "old worker still ends" : "old workers still end", jobs);
}

static int report(struct cli *cli, const struct outcome *outcome, bool known)
{
	if (cli->json)
		json_print(cli,
			   json_pack("{s:i, s:o, s:o, s:o, s:o}", "pid", (int)outcome->pid,
				     "worked",
				     known ? json_boolean(outcome->told.worked) : json_null(),
				     "outcome", value_text(known ? outcome->told.text : NULL),
				     "unanswered",
				     known ? json_integer(outcome->told.unanswered) : json_null(),
				     "leaving", read_jobs(cli, outcome)));
	if (!known)
		cli_complain(
			"process %d was asked to reload, but the outcome is not known; see its log",
			(int)outcome->pid);
	else if (outcome->told.worked) {
		say(cli, "reloaded: %s", outcome->told.text);
		say_jobs(cli, outcome);
	} else
		cli_complain("the reload was refused and nothing has changed: %s",
			     outcome->told.text);
	return known && outcome->told.worked ? EXIT_STOPPED : EXIT_ERROR;
}

/*
 * The new configuration may be what makes the database reachable, so a missing record is only a
 * warning.
 */
static void begin_record(struct cli *cli, const struct outcome *outcome, struct record *record)
{
	struct error error = { 0 };

	if (!cli->db)
		return;
	record->action = "reload";
	record->target = arena_printf(cli->arena, "supervisor process %d", (int)outcome->pid);
	enum status status = record_begin(cli, record, &error);
	if (status != STATUS_OK)
		cli_warn(cli, "%s the audit trail: %s",
			 status == STATUS_UNCERTAIN ? "this reload may be missing from"
						    : "this reload is missing from",
			 error.text);
}

/* A reload that was refused, or whose outcome is unknown, stays as one that did not end. */
static void end_record(struct cli *cli, const struct record *record, bool worked)
{
	if (record->id > 0)
		record_end(cli, record->id, worked, worked);
}

static int reload_run(struct cli *cli, void *input)
{
	const struct reload_input *reload = input;
	struct outcome outcome = { 0 };
	int code = find(cli, reload->pidfile, &outcome);

	if (code != EXIT_STOPPED)
		return code;
	struct record record = { .reason = reload->reason };
	begin_record(cli, &outcome, &record);
	const int64_t asked_at = clock_monotonic();
	/* Queued, so that it is not taken for a terminal that hangs up. */
	if (sigqueue(outcome.pid, SIGHUP, (union sigval){ .sival_int = 0 }) != 0) {
		cli_complain("process %d: %s", (int)outcome.pid, process_reason(errno));
		end_record(cli, &record, false);
		return EXIT_ERROR;
	}
	bool known = outcome.found && await_outcome(cli, &outcome, asked_at);
	end_record(cli, &record, known && outcome.told.worked);
	return report(cli, &outcome, known);
}

static const struct argp argp = {
	.options = options,
	.doc = "Make this host's `dray start` read its changed configuration, as HUP does, and "
	       "report the outcome. The files are checked first, with the environment that it has; "
	       "if "
	       "they contain a mistake, nothing changes. Processes whose settings changed finish "
	       "their jobs and are "
	       "replaced; all others keep running. Workers take over other classes and tasks, and "
	       "a "
	       "job that runs keeps what it began with; but for a class with a module, and for "
	       "other settings of its own, a worker is replaced, at once: the old one claims "
	       "nothing more and ends its jobs, however long they take, and both together run no "
	       "more than its threads. Which jobs keep old workers alive is reported. While the "
	       "workers of 5 earlier configurations still end jobs, a reload that would replace or "
	       "remove a worker is refused. "
	       "The supervisor is found by its pidfile, or in "
	       "the database."
	       "\vExamples:\n"
	       "  dray reload\n"
	       "  dray reload --pidfile /run/dray.pid",
};

const struct command reload_command = {
	.name = "reload",
	.summary = "make a running deployment read its changed configuration",
	.argp = &argp,
	.parse = reload_parse,
	.input_size = sizeof(struct reload_input),
	.needs = NEED_DATABASE,
	.output =
		"an object with `pid`, `worked` (true or false; null if it is not known), "
		"`outcome` (text), `unanswered` (how many workers have not taken it over yet) and "
		"`leaving` (an array of `id`, `class` and `process`: the jobs that keep old "
		"workers alive).",
	.run = reload_run,
};
