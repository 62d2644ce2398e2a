#include "queue/claim/known.h"

#include <limits.h>
#include <string.h>

#include "common/clock.h"
#include "common/text/text.h"
#include "queue/claim/claim_parts.h"

#define SHORTEST CLOCK_SECOND /* that a place is remembered */
#define REST     10           /* and at least so many times as long as it took to find */

static uint64_t hash(const char *name)
{
	uint64_t value = UINT64_C(14695981039346656037);

	for (; *name != '\0'; name++)
		value = (value ^ (unsigned char)*name) * UINT64_C(1099511628211);
	return value | 1;
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

struct claim_place known_place(const struct claim_request *request, const char *queue)
{
	const uint64_t key = hash(queue);

	if (claim_passes(request)) {
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

static const char *names_json(struct arena *arena, const char *const names[], size_t count)
{
	struct text json = { 0 };

	text_add(&json, "[");
	for (size_t i = 0; i < count; i++) {
		text_add(&json, i > 0 ? "," : "");
		text_json(&json, names[i]);
	}
	text_add(&json, "]");
	const char *copy = arena_strdup(arena, json.data);
	text_free(&json);
	return copy;
}

const char *known_classes(struct arena *arena, const struct claim_request *request)
{
	return request->only_classes ? names_json(arena, request->only_classes, request->only_count)
				     : NULL;
}

const char *known_others(struct arena *arena, const struct claim_request *request)
{
	return request->other_count > 0
		       ? names_json(arena, request->other_classes, request->other_count)
		       : NULL;
}

/* Places that were found while these jobs were passed are none any more when they are taken. */
void claim_spare_lost(struct claim_request *request, bool on)
{
	if (request->spare.on == on)
		return;
	request->spare.on = on;
	request->idle = false;
	memset(request->places, 0, sizeof(request->places));
}

size_t known_spare(const struct claim_request *request, struct db_value values[])
{
	const struct claim_spare *spare = &request->spare;

	values[0] = (struct db_value){ .name = "max_losses",
				       .type = spare->on ? DB_INT : DB_NULL,
				       .number = spare->max_losses };
	values[1] = (struct db_value)DB_P_TEXT("bounds", spare->on ? spare->bounds : NULL);
	return 2;
}

/* A walk from the beginning says how long its result will do: so walks take little of the time. */
static void walked(struct claim_place *place, int64_t began)
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
		request->paused = CLAIM_QUEUES_PAUSED; /* or nothing, which the next claim tells */
}

enum status known_look(struct claiming *claiming, const char *queue, bool *any, struct error *error)
{
	struct claim_place place = known_place(claiming->request, queue);
	struct db_value values[8] = {
		DB_P_TEXT("queue", queue),
		DB_P_TEXT("classes", known_classes(claiming->arena, claiming->request)),
		DB_P_TEXT("others", known_others(claiming->arena, claiming->request)),
		DB_P_INT("from_priority", place.priority),
		DB_P_INT("from_job", place.job_id),
		DB_P_INT("process_id", claiming->request->process_id),
	};
	const size_t count = 6 + known_spare(claiming->request, values + 6);
	int64_t began = clock_monotonic();
	struct db_rows rows = { 0 };
	enum status status =
		db_query(claiming->db, claiming->arena, "first_known", values, count, &rows, error);

	*any = status == STATUS_OK && rows.count > 0 && db_int(&rows, 0, 0) == 0;
	if (status != STATUS_OK || rows.count == 0)
		return status;
	notice(claiming->request, db_int(&rows, 0, 3) != 0);
	walked(&place, began);
	place.priority = db_int(&rows, 0, 1);
	place.job_id = db_int(&rows, 0, 2);
	remember(claiming->request, &place);
	return STATUS_OK;
}

void known_found(struct claim_request *request, const char *queue, const struct job *first)
{
	struct claim_place place = known_place(request, queue);

	if (!claim_passes(request) || place.until == 0)
		return;
	place.priority = first->priority;
	place.job_id = first->id;
	remember(request, &place);
}
