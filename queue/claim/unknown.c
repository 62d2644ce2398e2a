#include "queue/claim/unknown.h"

#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/order.h"
#include "queue/limits/slots.h"
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

/* `release` gives all of its jobs one time: so a call for each time. */
static struct db_call call_for(const struct claiming *claiming, const struct claim claims[],
			       size_t count)
{
	struct db_value *values = arena_array(claiming->arena, 2, sizeof(*values));
	struct claim_name *names = arena_array(claiming->arena, count, sizeof(*names));
	const int64_t ready_at = claims[0].ready_at;

	for (size_t i = 0; i < count; i++)
		names[i] = claim_name(&claims[i]);
	values[0] = (struct db_value)DB_P_TEXT("claims",
					       claim_names_json(claiming->arena, names, count));
	values[1] = (struct db_value)DB_P_TIME("now", ready_at ? ready_at : db_now(claiming->db));
	return (struct db_call){ .operation = "release", .values = values, .count = 2 };
}

static enum status put_back(struct claiming *claiming, struct claim claims[], size_t count,
			    struct error *error)
{
	struct db_call *calls = arena_array(claiming->arena, count, sizeof(*calls));
	struct claim_name *names = arena_array(claiming->arena, count, sizeof(*names));
	size_t call_count = 0;

	qsort(claims, count, sizeof(*claims), by_time);
	for (size_t first = 0, next; first < count; first = next) {
		for (next = first + 1; next < count; next++)
			if (claims[next].ready_at != claims[first].ready_at)
				break;
		calls[call_count++] = call_for(claiming, claims + first, next - first);
	}
	for (size_t i = 0; i < count; i++)
		names[i] = claim_name(&claims[i]);
	return cancel_told_first(claiming->db, claiming->arena, names, count,
				 &(struct slots_calls){ calls, call_count }, error);
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
