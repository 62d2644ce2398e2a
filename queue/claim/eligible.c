#include "queue/claim/eligible.h"

#include <limits.h>
#include <string.h>

#include "common/clock.h"
#include "common/hash.h"
#include "db/operations.h"

#define SHORTEST CLOCK_SECOND /* that a place is remembered */
#define REST     10           /* and at least so many times as long as it took to find */

/* The choice among the ways. */

/* "*" and every class: what stands first in the whole order is ours unless it is paused. */
static enum claim_way choose_of_every(const struct claim_facts *facts)
{
	if (facts->paused == CLAIM_NOTHING_PAUSED)
		return CLAIM_EVERY_QUEUE;
	/* An idle worker asks what locks nothing; one that knows of a backlog spares itself a claim
	 * that would find only this. */
	if (facts->idle || (facts->backlog && !facts->window))
		return CLAIM_BEHIND_BACKLOG;
	return CLAIM_WINDOW;
}

enum claim_way claim_choose(const struct claim_facts *facts)
{
	const bool chooses = facts->leaves || facts->paused == CLAIM_CLASSES_PAUSED;

	if (facts->scope == CLAIM_SCOPE_ONE)
		return chooses ? CLAIM_ELIGIBLE : CLAIM_ONE_QUEUE;
	if (facts->scope == CLAIM_SCOPE_SOME || facts->leaves)
		return CLAIM_BY_QUEUE;
	return choose_of_every(facts);
}

/* The eligible jobs of a queue. */

bool eligible_leaves(const struct claim_request *request)
{
	return request->only_classes || request->other_count > 0 || request->last_chance.on;
}

bool eligible_only(const struct claim_request *request)
{
	const struct claim_facts facts = { .scope = CLAIM_SCOPE_ONE,
					   .paused = request->paused,
					   .leaves = eligible_leaves(request) };

	return claim_choose(&facts) == CLAIM_ELIGIBLE;
}

static uint64_t hash(const char *name)
{
	return hash_text(HASH_START, name) | 1;
}

/* The queue's slot, or the one that will be of no use first. */
static const struct claim_place *slot_of(const struct claim_request *request, uint64_t key)
{
	const struct claim_place *places = request->places;
	const struct claim_place *oldest = places;

	for (size_t i = 0; i < CLAIM_PLACES; i++) {
		if (places[i].queue == key)
			return &places[i];
		if (places[i].until < oldest->until)
			oldest = &places[i];
	}
	return oldest;
}

struct claim_place eligible_place(const struct claim_request *request, const char *queue)
{
	const uint64_t key = hash(queue);

	if (eligible_only(request)) {
		const struct claim_place *slot = slot_of(request, key);
		if (slot->queue == key && clock_monotonic() < slot->until)
			return *slot;
	}
	return (struct claim_place){ .queue = key, .priority = INT_MIN };
}

static void remember(struct claim_request *request, const struct claim_place *place)
{
	request->places[slot_of(request, place->queue) - request->places] = *place;
}

/* A place that was found while these jobs were left is of no use once they are taken. */
void claim_leave_last_chance(struct claim_request *request, bool on)
{
	if (request->last_chance.on == on)
		return;
	request->last_chance.on = on;
	request->idle = false;
	memset(request->places, 0, sizeof(request->places));
}

struct eligible eligible_of(const struct claim_request *request)
{
	const struct claim_last_chance *chance = &request->last_chance;

	return (struct eligible){
		.classes = request->only_classes
				   ? P_TEXTS(request->only_classes, request->only_count)
				   : P_NULL,
		.others = request->other_count > 0
				  ? P_TEXTS(request->other_classes, request->other_count)
				  : P_NULL,
		.max_losses = chance->on ? P_INT(chance->max_losses) : P_NULL,
	};
}

/* How long a look from the beginning took says how long its result will do: so looks take little of
 * the time. */
static void hold(struct claim_place *place, int64_t began)
{
	int64_t now = clock_monotonic();
	int64_t rest = REST * (now - began);

	if (place->until == 0)
		place->until = now + (rest > SHORTEST ? rest : SHORTEST);
}

static void notice(struct claim_request *request, bool paused)
{
	if (paused)
		request->paused = CLAIM_CLASSES_PAUSED;
	else if (request->paused == CLAIM_CLASSES_PAUSED)
		request->paused = CLAIM_QUEUES_PAUSED; /* or nothing, as the next claim says */
}

/* Asks from this place on. */
static enum status ask(struct claiming *claiming, const char *queue,
		       const struct claim_place *place, struct db_rows *rows, struct error *error)
{
	const struct eligible eligible = eligible_of(claiming->request);

	return db_query(claiming->db, claiming->arena,
			DB_CALL(first_eligible, .process_id = P_INT(claiming->request->process_id),
				.queue = P_TEXT(queue), .classes = eligible.classes,
				.others = eligible.others, .max_losses = eligible.max_losses,
				.from_priority = P_INT(place->priority),
				.from_job = P_INT(place->job_id)),
			rows, error);
}

/* Whether the answer names a job; else it says where the queue's last one stands, or nothing. */
static bool read_place(const struct db_rows *rows, struct claim_place *place)
{
	place->priority = db_int(rows, 0, FIRST_ELIGIBLE_PRIORITY);
	place->job_id = db_int(rows, 0, FIRST_ELIGIBLE_JOB_ID);
	return db_int(rows, 0, FIRST_ELIGIBLE_LAST) == 0;
}

enum status eligible_look(struct claiming *claiming, const char *queue, bool *any,
			  struct error *error)
{
	struct claim_place place = eligible_place(claiming->request, queue);
	int64_t began = clock_monotonic();
	struct db_rows rows = { 0 };
	enum status status = ask(claiming, queue, &place, &rows, error);

	*any = false;
	if (status != STATUS_OK || rows.count == 0)
		return status;
	notice(claiming->request, db_int(&rows, 0, FIRST_ELIGIBLE_PAUSED) != 0);
	hold(&place, began);
	*any = read_place(&rows, &place);
	remember(claiming->request, &place);
	return STATUS_OK;
}

enum status eligible_first(struct claiming *claiming, const char *queue, struct claim_place *place,
			   bool *any, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = ask(claiming, queue, place, &rows, error);

	*any = status == STATUS_OK && rows.count > 0 && read_place(&rows, place);
	return status;
}

void eligible_found(struct claim_request *request, const char *queue, const struct job *first)
{
	struct claim_place place = eligible_place(request, queue);

	if (!eligible_only(request) || place.until == 0)
		return;
	place.priority = first->priority;
	place.job_id = first->id;
	remember(request, &place);
}
