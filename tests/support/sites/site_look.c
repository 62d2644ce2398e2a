/* What a site's tests wait for and look at. */
#include "queue/manage/manage.h"
#include "tests/support/sites/site.h"

#define MOST 1000

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

void site_await(struct site *site, int64_t job, enum job_state state)
{
	site_until(site, site_state(site, job) == state,
		   arena_printf(site->arena, "job %lld to be %s", (long long)job,
				job_state_name(state)));
}

void site_let_go(struct site *site, int64_t job)
{
	site_write(site, "go", "");
	site_await(site, job, JOB_FINISHED);
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

void site_await_jobs(struct site *site, enum job_state state, size_t count)
{
	site_until(site, site_jobs_in(site, state) == count,
		   arena_printf(site->arena, "%zu jobs to be %s", count, job_state_name(state)));
}

int64_t site_int(const struct site *site, const char *sql)
{
	return test_query_int(site->url, sql);
}

void site_await_int(struct site *site, const char *sql, int64_t expected)
{
	site_until(site, site_int(site, sql) == expected, sql);
}

void site_await_least(struct site *site, const char *sql, int64_t least)
{
	site_until(site, site_int(site, sql) >= least, sql);
}

/* files */

void site_await_lines(struct site *site, const char *name, size_t count)
{
	site_until(site, site_lines(site, name) >= count,
		   arena_printf(site->arena, "%zu lines in %s", count, name));
}

int64_t site_await_begun(struct site *site, size_t count, int64_t job)
{
	site_await_lines(site, "begun", count);
	return job;
}

static size_t missing_from_done(struct site *site)
{
	const char *done = arena_printf(site->arena, "\n%s", site_read(site, "done"));
	const struct job_filter filter = { .has_state = true,
					   .state = JOB_FINISHED,
					   .limit = MOST };
	struct job *jobs;
	size_t count;
	size_t missing = 0;

	must(job_list, site->db, site->arena, &filter, &jobs, &count);
	for (size_t i = 0; i < count; i++)
		missing += strstr(done, arena_printf(site->arena, "\n%lld\n",
						     (long long)jobs[i].id)) == NULL;
	return missing;
}

void site_await_done(struct site *site, size_t count)
{
	site_await_lines(site, "done", count); /* first: it costs the server nothing */
	site_until(site, site_jobs_in(site, JOB_FINISHED) >= count,
		   arena_printf(site->arena, "%zu finished jobs", count));
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

void site_await_log(struct site *site, const char *text, size_t count)
{
	site_until(site, site_logged(site, text) >= count,
		   arena_printf(site->arena, "%zu '%s' in the log", count, text));
}

void site_signal_start(struct site *site, int signal, const char *text, size_t count)
{
	assert_int_equal(kill(site->start.pid, signal), 0);
	site_await_log(site, text, count);
}

/* processes */

struct process_row *site_rows(struct site *site, const char *kind, size_t *count)
{
	struct process_row *rows;
	size_t all;

	*count = 0;
	must(process_list, site->db, site->arena, &rows, &all);
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

void site_await_rows(struct site *site, const char *kind, size_t count)
{
	site_until(site, site_row_count(site, kind) == count,
		   arena_printf(site->arena, "%zu rows of %s", count, kind ? kind : "processes"));
}

static bool find_row(struct site *site, const char *kind, const char *metadata, int64_t after,
		     struct process_row *row)
{
	size_t count;
	const struct process_row *rows = site_rows(site, kind, &count);

	for (size_t i = 0; i < count; i++) {
		*row = rows[i];
		if (row->id > after && row->metadata && strstr(row->metadata, metadata))
			return true;
	}
	return false;
}

struct process_row site_await_row(struct site *site, const char *kind, const char *metadata,
				  int64_t after)
{
	struct process_row row;

	site_until(site, find_row(site, kind, metadata, after, &row),
		   arena_printf(site->arena, "a %s %s", kind, metadata));
	return row;
}

pid_t site_janitor(struct site *site)
{
	static const char key[] = "\"janitor\":";
	const struct process_row row = site_await_row(site, "Supervisor(fork)", key, 0);

	return (pid_t)strtol(strstr(row.metadata, key) + strlen(key), NULL, 10);
}
