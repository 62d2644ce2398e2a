#include "queue/refused/give_back.h"

#include "db/operations.h"
#include "queue/refused/refused.h"
#include "queue/settle/cancellations.h"

/* Claims that go back to ready, one by one if the database refuses one of them. */
struct giving_back {
	struct db *db;
	struct arena *arena;
	const struct claim_name *claims;
	int64_t released;
};

static enum status give_back(void *data, size_t first, size_t count, struct error *error)
{
	struct giving_back *giving = data;
	const struct claim_name *claims = giving->claims + first;
	struct db_calls calls = { .arena = giving->arena };

	db_calls_add(&calls,
		     DB_CALL(release,
			     .claims = P_TEXT(claim_names_json(giving->arena, claims, count)),
			     .now = P_TIME(db_now(giving->db))));
	enum status status =
		cancel_told_first(giving->db, giving->arena, claims, count, &calls, error);

	giving->released += status == STATUS_OK ? (int64_t)calls.list[0].rows.count : 0;
	return status;
}

static enum status leave(void *data, size_t at, const struct error *why, struct error *error)
{
	const struct giving_back *giving = data;
	struct refused refused = { .job = giving->claims[at].job_id,
				   .doing = "release",
				   .why = why };

	return refused_job(giving->db, &refused, error);
}

enum status claims_give_back(struct db *db, const struct claim_name claims[], size_t count,
			     int64_t *released, struct error *error)
{
	struct giving_back giving = { .db = db, .arena = arena_new(), .claims = claims };
	struct refused_work work = { .data = &giving, .run = give_back, .alone = leave };
	enum status status = refused_by_halves(&work, count, error);

	*released = giving.released;
	arena_free(giving.arena);
	return status;
}
