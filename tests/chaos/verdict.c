#include <inttypes.h>

#include "bench/audit.h"
#include "bench/history.h"
#include "tests/chaos/field.h"

#define CLOCK_ERROR CLOCK_SECOND /* of a worker's idea of the database's clock */

/* How many of the jobs that were confirmed are not among those that are finished. */
static size_t count_missing(const struct field *field, const struct db_rows *finished)
{
	size_t count;
	size_t missing = 0;
	size_t row = 0;
	const int64_t *ids = feeder_jobs(&field->feeder, &count);

	/* Both are in order: one feeder, ascending ids. */
	for (size_t i = 0; i < count; i++) {
		while (row < finished->count && db_int(finished, row, 0) < ids[i])
			row++;
		missing += row == finished->count || db_int(finished, row, 0) != ids[i];
	}
	return missing;
}

static void look_at_runs(struct field *field, const struct db_rows *finished,
			 const struct history *history)
{
	struct figures *figures = &field->figures;

	for (size_t row = 0; row < finished->count; row++) {
		size_t count;
		int64_t end = 0;
		const struct run *runs = history_of(history, db_int(finished, row, 0), &count);
		assert_int_equal(clock_parse(db_text(finished, row, 1), &end), STATUS_OK);
		figures->lost += count == 0; /* finished, but nobody ran it */
		figures->rerun += count > 1;
		for (size_t i = 0; i < count; i++)
			figures->ghosts += runs[i].begin > end + CLOCK_ERROR;
	}
}

static void show_runs(const struct history *history, int64_t job)
{
	size_t count;
	const struct run *runs = history_of(history, job, &count);

	for (size_t i = 0; i < count; i++)
		print_message("job %" PRId64 " for claim %" PRId64 " in worker %d: %" PRId64
			      " to %" PRId64 "\n",
			      job, runs[i].claim, runs[i].worker, runs[i].begin, runs[i].end);
}

void verdict_reach(struct field *field)
{
	struct figures *figures = &field->figures;
	struct history history = { 0 };
	int64_t example = 0;
	int64_t twice = 0;
	struct db_rows finished = test_query(field->arena, field->url,
					     "SELECT id, finished_at FROM solid_queue_jobs "
					     "WHERE finished_at IS NOT NULL ORDER BY id");

	must(history_read, &history, field->effects);
	figures->jobs = finished.count;
	figures->lost = count_missing(field, &finished);
	look_at_runs(field, &finished, &history);
	figures->repeated = history_repeated(&history, &example);
	if (figures->repeated > 0)
		show_runs(&history, example);
	must(audit_count, field->url, &twice);
	figures->twice = (size_t)twice;
	figures->failed = (size_t)test_query_int(
		field->url, "SELECT COUNT(*) FROM solid_queue_failed_executions");
	figures->astray = occurrences_astray(field);
	history_clear(&history);
}

void verdict_show_header(void)
{
	print_message("%-11s%-24s%8s%8s%8s%10s%7s%6s%7s%7s%7s\n", "backend", "cell", "before",
		      "during", "after", "regained", "jobs", "lost", "rerun", "twice", "away");
}

void verdict_show(const struct field *field)
{
	const struct figures *figures = &field->figures;

	print_message("%-11s%-24s%8.0f%8.0f%8.0f%8.2f s%7zu%6zu%7zu%7zu%7zu\n", field->backend,
		      field->cell->name, figures->before, figures->during, figures->after,
		      figures->recovery, figures->jobs, figures->lost, figures->rerun,
		      figures->twice, figures->away);
}

static const char *find_fault(const struct field *field)
{
	const struct figures *figures = &field->figures;
	size_t processes = (size_t)(field->cell->two ? 2 : 1) * FIELD_PROCESSES;

	if (figures->lost > 0)
		return "jobs were lost";
	if (figures->twice > 0)
		return "jobs were finished twice";
	if (figures->repeated > 0)
		return "a claim was run twice";
	if (figures->failed > 0)
		return "jobs have failed";
	if (figures->astray > 0)
		return "occurrences of recurring tasks have no job, or several";
	if (figures->ghosts > 0 && !field->cell->ghosts)
		return "jobs were begun after they were finished";
	if (field->cell->outages > 0 && figures->away > field->cell->outages * processes)
		return "more than a line an outage";
	return NULL;
}

void verdict_assert(const struct field *field)
{
	const char *fault = field->cell->fault ? field->cell->fault(field) : find_fault(field);

	if (fault) {
		(void)fputs(field->log, stderr);
		fail_msg("%s", fault);
	}
}
