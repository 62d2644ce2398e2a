/* What a site's tests wait for and look at. */
#include "queue/manage/manage.h"
#include "tests/support/sites/site.h"

#define PATIENCE (120 * CLOCK_SECOND)
#define MOST     1000

void site_until(struct site *site, bool (*condition)(void *data), void *data, const char *what)
{
	if (!test_wait_until(condition, data, PATIENCE))
		site_fail(site, arena_printf(site->arena, "waited in vain for %s", what));
}

/* What the conditions below look for. */
struct wanted {
	struct site *site;
	int64_t id;
	enum job_state state;
	size_t count;
	const char *text;
	const char *kind;
	struct process_row row;
};

/* jobs */

enum job_state site_state(struct site *site, int64_t job)
{
	struct arena *arena = arena_new();
	struct error error = { 0 };
	struct job found;
	enum status status = job_find(site->db, arena, job, &found, &error);

	arena_free(arena);
	assert_ok(status, &error);
	return found.state;
}

static bool is_in_state(void *data)
{
	const struct wanted *wanted = data;

	return site_state(wanted->site, wanted->id) == wanted->state;
}

void site_await(struct site *site, int64_t job, enum job_state state)
{
	struct wanted wanted = { .site = site, .id = job, .state = state };

	site_until(site, is_in_state, &wanted,
		   arena_printf(site->arena, "job %lld to be %s", (long long)job,
				job_state_name(state)));
}

size_t site_jobs_in(struct site *site, enum job_state state)
{
	const struct job_filter filter = { .has_state = true, .state = state, .limit = MOST };
	struct arena *arena = arena_new();
	struct error error = { 0 };
	struct job *jobs;
	size_t count = 0;
	enum status status = job_list(site->db, arena, &filter, &jobs, &count, &error);

	arena_free(arena);
	assert_ok(status, &error);
	return count;
}

static bool are_in_state(void *data)
{
	const struct wanted *wanted = data;

	return site_jobs_in(wanted->site, wanted->state) == wanted->count;
}

void site_await_jobs(struct site *site, enum job_state state, size_t count)
{
	struct wanted wanted = { .site = site, .state = state, .count = count };

	site_until(site, are_in_state, &wanted,
		   arena_printf(site->arena, "%zu jobs to be %s", count, job_state_name(state)));
}

int64_t site_int(const struct site *site, const char *sql)
{
	return test_query_int(site->url, sql);
}

struct number {
	struct site *site;
	const char *sql;
	int64_t lowest, highest;
};

static bool is_within(void *data)
{
	const struct number *number = data;
	int64_t now = site_int(number->site, number->sql);

	return now >= number->lowest && now <= number->highest;
}

void site_await_int(struct site *site, const char *sql, int64_t expected)
{
	struct number number = { site, sql, expected, expected };

	site_until(site, is_within, &number, sql);
}

void site_await_least(struct site *site, const char *sql, int64_t least)
{
	struct number number = { site, sql, least, INT64_MAX };

	site_until(site, is_within, &number, sql);
}

/* files */

static bool has_lines(void *data)
{
	const struct wanted *wanted = data;

	return site_lines(wanted->site, wanted->text) >= wanted->count;
}

void site_await_lines(struct site *site, const char *name, size_t count)
{
	struct wanted wanted = { .site = site, .text = name, .count = count };

	site_until(site, has_lines, &wanted,
		   arena_printf(site->arena, "%zu lines in %s", count, name));
}

/* The file first: it costs the server nothing. */
static bool are_done(void *data)
{
	const struct wanted *wanted = data;

	return has_lines(data) && site_jobs_in(wanted->site, JOB_FINISHED) >= wanted->count;
}

static size_t missing_from_done(struct site *site)
{
	const char *done = arena_printf(site->arena, "\n%s", site_read(site, "done"));
	const struct job_filter filter = { .has_state = true,
					   .state = JOB_FINISHED,
					   .limit = MOST };
	struct error error = { 0 };
	struct job *jobs;
	size_t count;
	size_t missing = 0;

	assert_ok(job_list(site->db, site->arena, &filter, &jobs, &count, &error), &error);
	for (size_t i = 0; i < count; i++)
		missing += strstr(done, arena_printf(site->arena, "\n%lld\n",
						     (long long)jobs[i].id)) == NULL;
	return missing;
}

void site_await_done(struct site *site, size_t count)
{
	struct wanted wanted = { .site = site, .text = "done", .count = count };

	site_until(site, are_done, &wanted, arena_printf(site->arena, "%zu finished jobs", count));
	if (missing_from_done(site) > 0)
		site_fail(site, "a finished job has not run");
}

/* the log */

const char *site_log(const struct site *site)
{
	if (site->start.pid > 0)
		return test_command_errors(site->arena, &site->start);
	if (!site->log)
		fail_msg("no deployment has been started whose log could be read");
	return site->log ? site->log : "";
}

size_t site_logged(const struct site *site, const char *text)
{
	return test_count_text(site_log(site), text);
}

static bool is_logged(void *data)
{
	const struct wanted *wanted = data;

	return site_logged(wanted->site, wanted->text) >= wanted->count;
}

void site_await_log(struct site *site, const char *text, size_t count)
{
	struct wanted wanted = { .site = site, .text = text, .count = count };

	site_until(site, is_logged, &wanted,
		   arena_printf(site->arena, "%zu '%s' in the log", count, text));
}

/* processes */

struct process_row *site_rows(struct site *site, const char *kind, size_t *count)
{
	struct process_row *rows;
	struct error error = { 0 };
	size_t all;

	*count = 0;
	assert_ok(process_list(site->db, site->arena, &rows, &all, &error), &error);
	for (size_t i = 0; i < all; i++)
		if (!kind || strcmp(rows[i].kind, kind) == 0)
			rows[(*count)++] = rows[i];
	return rows;
}

size_t site_row_count(struct site *site, const char *kind)
{
	size_t count;

	(void)site_rows(site, kind, &count);
	return count;
}

static bool has_rows(void *data)
{
	const struct wanted *wanted = data;

	return site_row_count(wanted->site, wanted->kind) == wanted->count;
}

void site_await_rows(struct site *site, const char *kind, size_t count)
{
	struct wanted wanted = { .site = site, .kind = kind, .count = count };

	site_until(site, has_rows, &wanted,
		   arena_printf(site->arena, "%zu rows of %s", count, kind ? kind : "processes"));
}

static bool has_row(void *data)
{
	struct wanted *wanted = data;
	size_t count;
	const struct process_row *rows = site_rows(wanted->site, wanted->kind, &count);

	for (size_t i = 0; i < count; i++) {
		wanted->row = rows[i];
		if (rows[i].id > wanted->id && rows[i].metadata &&
		    strstr(rows[i].metadata, wanted->text))
			return true;
	}
	return false;
}

struct process_row site_await_row(struct site *site, const char *kind, const char *metadata,
				  int64_t after)
{
	struct wanted wanted = { .site = site, .kind = kind, .text = metadata, .id = after };

	site_until(site, has_row, &wanted, arena_printf(site->arena, "a %s %s", kind, metadata));
	return wanted.row;
}
