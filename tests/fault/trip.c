#include "tests/fault/trip.h"

static const char *const known[] = { "Test" };

static struct settle_request request_of(struct scene *scene, const struct way *way)
{
	return (struct settle_request){ .process_id = scene->victim,
					.outcomes = scene->outcomes,
					.outcome_count = scene->outcome_count,
					.preserve_finished_jobs = way->preserve,
					.batches = way->batches };
}

/* Outcomes that are settled are dropped; those that were lost do not count. */
static void drop_settled(struct scene *scene)
{
	for (size_t i = 0; i < scene->outcome_count; i++)
		scene->settled += !scene->outcomes[i].refused;
	scene->outcome_count = 0;
}

/* After UNCERTAIN, as a worker does; what is settled already counts. */
static enum status resolve(struct scene *scene, const struct way *way, struct error *error)
{
	struct settle_request request = request_of(scene, way);
	size_t left = 0;
	enum status status =
		settle_resolve(scene->db, &request, scene->held, scene->held_count, error);

	if (status != STATUS_OK)
		return status;
	scene->uncertain = false;
	for (size_t i = 0; i < scene->outcome_count; i++) {
		if (scene->outcomes[i].claim.id != 0)
			scene->outcomes[left++] = scene->outcomes[i];
		else
			scene->settled++;
	}
	scene->outcome_count = left;
	return STATUS_OK;
}

/* One round trip. */
static enum status trip(struct scene *scene, const struct way *way, struct error *error)
{
	struct arena *arena = scene->test->arena;
	struct settle_request request = request_of(scene, way);
	bool meets = way->puts_back && scene->held_count == 0;
	bool chooses = way->known || (way->puts_back && !meets);
	struct claim_request claim = { .process_id = scene->victim,
				       .limit = way->wanted - scene->held_count + meets,
				       .only_classes = chooses ? known : NULL,
				       .only_count = chooses ? 1 : 0,
				       .unknown = { meets ? known : NULL, 1 },
				       .paused = way->paused,
				       .idle = way->queue_count < 2 && !way->paused };
	struct selector selector;
	struct claim *claims;
	size_t count = 0;

	if (way->queues) {
		enum status status =
			selector_compile(arena, way->queues, way->queue_count, &selector, error);
		if (status != STATUS_OK)
			return status;
		claim.selector = &selector;
		request.claim = &claim;
	}
	enum status status = settle(scene->db, arena, &request, &claims, &count, error);
	scene->uncertain = status == STATUS_UNCERTAIN;
	if (status != STATUS_OK)
		return status;
	drop_settled(scene);
	for (size_t i = 0; i < count; i++)
		scene->held[scene->held_count++] = claim_name(&claims[i]);
	return STATUS_OK;
}

/* Somebody who was frozen and presumed dead gets nothing, however often he asks. */
static bool is_buried(const struct scene *scene)
{
	struct process_row row = { .id = scene->victim, .name = "victim" };
	struct error error = { 0 };

	return process_heartbeat(scene->db, &row, &error) == STATUS_NONE;
}

enum status trips(struct scene *scene, const struct way *way, struct error *error)
{
	int64_t deadline = clock_monotonic() + scene->patience;
	enum status status = STATUS_OK;

	do {
		if (scene->uncertain)
			status = resolve(scene, way, error);
		if (status == STATUS_OK)
			status = trip(scene, way, error);
	} while (status == STATUS_OK && scene->held_count < way->wanted &&
		 clock_monotonic() < deadline && !is_buried(scene));
	scene->done = scene->settled + (int64_t)scene->held_count;
	return status;
}
