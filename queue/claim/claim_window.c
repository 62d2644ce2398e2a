#include "queue/claim/claim_window.h"

#include <limits.h>

#include "common/clock.h"
#include "db/operations.h"

#define FEW_PAUSED    40 /* to walk past so many paused jobs costs less than the question */
#define WINDOW_CLAIMS 64 /* that a window of jobs of any kind is for */
#define FRONT_TIME    CLOCK_SECOND
/* Behind a backlog: what is more urgent waits no longer than for an idle worker's poll. */
#define BACKLOG_TIME  (100 * CLOCK_MILLISECOND)

bool claim_window_is_known(const struct claim_request *request)
{
	return clock_monotonic() < request->window.until;
}

_Static_assert((int)WINDOW_END_PRIORITY == 0 &&
		       (int)WINDOW_END_PAUSED_JOB_ID ==
			       (int)WINDOW_END_PAUSED_PRIORITY + (int)WINDOW_END_JOB_ID,
	       "read_end reads both");

/* The end stands in this column and the next one, if there is one. */
static void read_end(struct claim_window *window, const struct db_rows *rows, size_t column)
{
	window->ends = rows->count > 0 && !db_is_null(rows, 0, column);
	window->to_priority = window->ends ? db_int(rows, 0, column) : INT_MAX;
	window->to_job = window->ends ? db_int(rows, 0, column + WINDOW_END_JOB_ID) : INT64_MAX;
}

/* Past a few jobs of each paused queue, the fewer the more queues are paused. */
static enum status end_by_paused(struct claiming *claiming, struct claim_window *window,
				 struct error *error)
{
	struct claim_request *request = claiming->request;
	const size_t queues = request->paused_queues > 0 ? request->paused_queues : 1;
	struct db_rows rows;
	enum status status = db_query(
		claiming->db, claiming->arena,
		DB_CALL(window_end_paused, .from_priority = P_INT(window->from_priority),
			.from_job = P_INT(window->from_job), .passed = P_INT(FEW_PAUSED / queues)),
		&rows, error);

	if (status != STATUS_OK)
		return status;
	request->paused_queues = (size_t)db_int(&rows, 0, WINDOW_END_PAUSED_QUEUES);
	window->newest_pause = db_int(&rows, 0, WINDOW_END_PAUSED_NEWEST);
	read_end(window, &rows, WINDOW_END_PAUSED_PRIORITY);
	return STATUS_OK;
}

/* So many jobs of any kind. */
static enum status end_by_length(struct claiming *claiming, struct claim_window *window,
				 struct error *error)
{
	const size_t length = FEW_PAUSED + WINDOW_CLAIMS * claiming->request->limit;
	struct db_rows rows;
	enum status status =
		db_query(claiming->db, claiming->arena,
			 DB_CALL(window_end, .from_priority = P_INT(window->from_priority),
				 .from_job = P_INT(window->from_job), .length = P_INT(length)),
			 &rows, error);

	if (status == STATUS_OK)
		read_end(window, &rows, WINDOW_END_PRIORITY);
	return status;
}

enum status claim_window_plan(struct claiming *claiming, const struct claim_window *from,
			      struct error *error)
{
	struct claim_request *request = claiming->request;
	struct claim_window window =
		from ? *from : (struct claim_window){ .from_priority = INT_MIN };
	enum status status = request->paused > CLAIM_QUEUES_PAUSED
				     ? end_by_length(claiming, &window, error)
				     : end_by_paused(claiming, &window, error);

	if (status != STATUS_OK)
		return status;
	if (window.until == 0)
		window.until =
			clock_monotonic() + (window.behind_backlog ? BACKLOG_TIME : FRONT_TIME);
	request->window = window;
	return STATUS_OK;
}
