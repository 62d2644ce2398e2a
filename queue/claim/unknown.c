/*
 * Jobs of classes that a worker does not know, where it leaves them but seldom meets one
 * (unknown_classes: auto, and no other software in sight). Then a claim that passes over them
 * (queue/claim/eligible.h) would only cost time, so it claims every class until it gets such a job.
 * That is put back before anything else happens to it, and from then on only the known classes are
 * claimed, until no such job has been there for a minute.
 */
#include "queue/claim/claim.h"

#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/order.h"
#include "db/operations.h"
#include "queue/look/look.h"
#include "queue/settle/cancellations.h"

#define PATIENCE CLOCK_MINUTE

/* A place that was found while these classes were left, or taken, is of no use any more. */
static void claim_only(struct claim_request *request, bool known)
{
	const struct claim_unknown *unknown = &request->unknown;

	request->only_classes = known ? unknown->known : NULL;
	request->only_count = known ? unknown->known_count : 0;
	request->idle = false;
	memset(request->places, 0, sizeof(request->places));
}

enum status unknown_look(struct db *db, struct arena *arena, struct claim_request *request,
			 struct error *error)
{
	struct claim_unknown *unknown = &request->unknown;
	struct job job = { .state = JOB_STATES };

	if (unknown->job == 0 || clock_monotonic() < unknown->until)
		return STATUS_OK;
	enum status status = job_find(db, arena, unknown->job, &job, error);
	if (status != STATUS_OK && status != STATUS_NONE)
		return status;
	if (job.state == JOB_READY) {
		unknown->until = clock_monotonic() + PATIENCE;
		return STATUS_OK;
	}
	unknown->job = 0;
	claim_only(request, false);
	return STATUS_OK;
}

static bool is_known(const struct claim_unknown *unknown, const struct claim *claim)
{
	return bsearch(&claim->job.class_name, unknown->known, unknown->known_count,
		       sizeof(*unknown->known), order_texts);
}

static int by_time(const void *left, const void *right)
{
	return order_numbers(((const struct claim *)left)->ready_at,
			     ((const struct claim *)right)->ready_at);
}

static void add_release(const struct claiming *claiming, const struct claim_name names[],
			size_t count, int64_t ready_at, struct db_calls *calls)
{
	db_calls_add(calls,
		     DB_CALL(release, .claims = P_ROWS(claim_list(claiming->arena, names, count)),
			     .now = P_TIME(ready_at ? ready_at : db_now(claiming->db))));
}

/* `release` gives all of its jobs one time: so a call for each time. */
static enum status put_back(struct claiming *claiming, struct claim claims[], size_t count,
			    struct error *error)
{
	struct db_calls calls = { .arena = claiming->arena };
	struct claim_name *names = arena_array(claiming->arena, count, sizeof(*names));

	qsort(claims, count, sizeof(*claims), by_time);
	for (size_t i = 0; i < count; i++)
		names[i] = claim_name(&claims[i]);
	for (size_t first = 0, next; first < count; first = next) {
		for (next = first + 1; next < count; next++)
			if (claims[next].ready_at != claims[first].ready_at)
				break;
		add_release(claiming, names + first, next - first, claims[first].ready_at, &calls);
	}
	return cancel_told_first(claiming->db, claiming->arena, names, count, &calls, error);
}

enum status unknown_put_back(struct claiming *claiming, struct error *error)
{
	struct claim_request *request = claiming->request;
	struct claim_unknown *unknown = &request->unknown;
	struct claim *back = arena_array(claiming->arena, claiming->count + 1, sizeof(*back));
	size_t back_count = 0;
	size_t kept = 0;

	if (!unknown->known || request->only_classes)
		return STATUS_OK;
	for (size_t i = 0; i < claiming->count; i++) {
		if (is_known(unknown, &claiming->claims[i]))
			claiming->claims[kept++] = claiming->claims[i];
		else
			back[back_count++] = claiming->claims[i];
	}
	claiming->count = kept;
	if (back_count == 0)
		return STATUS_OK;
	unknown->job = back[0].job.id;
	unknown->class = back[0].job.class_name;
	unknown->put_back = back_count;
	unknown->until = clock_monotonic() + PATIENCE;
	claim_only(request, true);
	return put_back(claiming, back, back_count, error);
}
