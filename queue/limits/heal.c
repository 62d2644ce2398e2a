/*
 * Healing: semaphores that do not agree with the jobs that hold their slots are set right.
 *
 * A slot is lost where a process of Solid Queue dies between the end of a job and the return of its
 * slot, where somebody deletes jobs by hand, and where a transaction of ours was refused in part. A
 * look goes over all keys, window by window; what does not add up is noted, and repaired when the
 * next look finds the same, because a key that is at work may look wrong for a moment. A repair
 * locks the semaphore and counts again under its lock: what a look has seen only decides where to
 * look closer.
 *
 * A value that is too low is raised only after `patience` where Solid Queue works, too: its jobs
 * may hold slots that no table shows, and one job too many is worse than one that waits. A key that
 * cannot be repaired does not hold up the others.
 */
#include "queue/limits/heal.h"

#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/clock.h"
#include "common/hash.h"
#include "db/operations.h"
#include "queue/limits/slots.h"
#include "queue/manage/audit.h"
#include "queue/processes/shared.h"
#include "queue/refused/refused.h"

/* What healing remembers of keys with differences, from one look to the next. */

static int compare_marks(const void *left, const void *right)
{
	uint64_t a = ((const struct heal_mark *)left)->key;
	uint64_t b = ((const struct heal_mark *)right)->key;

	return (a > b) - (a < b);
}

static size_t add_mark(struct heal_marks *marks, const struct heal_mark *mark)
{
	if (marks->count == marks->room) {
		marks->room = marks->room > 0 ? 2 * marks->room : 64;
		marks->list = realloc(marks->list, marks->room * sizeof(*mark));
		if (!marks->list)
			out_of_memory();
	}
	marks->list[marks->count] = *mark;
	return marks->count++;
}

/* This key has a difference. Returns its place among the current marks. */
static size_t heal_memory_see(struct heal_memory *memory, const char *key, uint64_t state)
{
	const struct heal_marks *before = &memory->before;
	struct heal_mark mark = { .key = hash_text(HASH_START, key) };
	const struct heal_mark *known = NULL;

	if (before->count > 0)
		known = bsearch(&mark, before->list, before->count, sizeof(mark), compare_marks);
	if (known)
		mark = *known;
	/* After a repair it takes two looks again. */
	mark.lasts = known && !known->lasts && known->state == state;
	mark.state = state;
	return add_mark(&memory->current, &mark);
}

/* The look is over: keys that it did not see, and those without a difference, are forgotten. */
static void heal_memory_conclude(struct heal_memory *memory)
{
	struct heal_marks *seen = &memory->current;
	size_t kept = 0;

	for (size_t i = 0; i < seen->count; i++)
		if (!seen->list[i].lasts || seen->list[i].since > 0)
			seen->list[kept++] = seen->list[i];
	seen->count = kept;
	if (kept > 0)
		qsort(seen->list, kept, sizeof(*seen->list), compare_marks);
	free(memory->before.list);
	memory->before = *seen;
	memory->current = (struct heal_marks){ 0 };
}

void heal_mark_count(struct heal_mark *mark, int64_t missing, int64_t now)
{
	if (missing <= 0) {
		mark->since = 0;
		return;
	}
	if (mark->since == 0) {
		mark->since = now;
		mark->missing = missing;
		mark->counts = mark->fewest = 0;
	}
	mark->counts++;
	if (missing < mark->missing) {
		mark->missing = missing;
		mark->fewest = 0;
	}
	mark->fewest += missing == mark->missing;
}

int64_t heal_mark_leaked(const struct heal_mark *mark, int64_t patience, int64_t now)
{
	bool leaked =
		mark->since > 0 && now - mark->since >= patience && 2 * mark->fewest > mark->counts;

	return leaked ? mark->missing : 0;
}

/* A look at the keys. */

#define WINDOW 200                 /* keys a look */
#define SOON   (60 * CLOCK_SECOND) /* a semaphore that expires by then is prolonged */

/* One row of slots_examine. */
struct key_facts {
	const char *key;
	const char *class_name;
	int position; /* among the class's limits */
	bool known;   /* the semaphore exists */
	int64_t value;
	int64_t live;
	int64_t stale;
	int64_t slots; /* -1 = undeclared */
	bool waiting;
	int64_t expires_at;
	int64_t semaphore; /* its number, 0 = no row */
	size_t mark;       /* its place in the memory, if it does not add up */
	bool exact;        /* set the value to what it should be */
	bool sure;         /* no job of other software can hold a slot that dray does not know of */
};

/* One look in progress. */
struct healing {
	struct db *db;
	struct heal *heal;
	struct arena *arena; /* of one window */
	int64_t until;       /* clock_monotonic */
	bool asked;          /* the other processes have been looked for */
	bool others;         /* processes of other software exist */
	struct error *error;
};

static struct key_facts read_facts(const struct db_rows *rows, size_t row)
{
	return (struct key_facts){
		.key = db_text(rows, row, SLOTS_EXAMINE_KEY),
		.class_name = db_text(rows, row, SLOTS_EXAMINE_CLASS_NAME),
		.known = !db_is_null(rows, row, SLOTS_EXAMINE_VALUE),
		.value = db_int(rows, row, SLOTS_EXAMINE_VALUE),
		.live = db_int(rows, row, SLOTS_EXAMINE_LIVE),
		.stale = db_int(rows, row, SLOTS_EXAMINE_STALE),
		.slots = db_is_null(rows, row, SLOTS_EXAMINE_SLOTS)
				 ? -1
				 : db_int(rows, row, SLOTS_EXAMINE_SLOTS),
		.waiting = db_int(rows, row, SLOTS_EXAMINE_WAITING) != 0,
		.expires_at = db_time(rows, row, SLOTS_EXAMINE_EXPIRES_AT),
		.position = (int)db_int(rows, row, SLOTS_EXAMINE_POSITION),
		.semaphore = db_int(rows, row, SLOTS_EXAMINE_SEMAPHORE_ID),
	};
}

static bool adds_up(const struct key_facts *facts)
{
	int64_t free = facts->slots > facts->live ? facts->slots - facts->live : 0;

	if (facts->stale > 0 || !facts->known)
		return facts->stale == 0;
	/* Only Solid Queue knows how many slots an undeclared class has; one is free or held. */
	return facts->slots < 0 ? facts->value > 0 || facts->live > 0 : facts->value == free;
}

/* Is the difference the same as at the last look? If not, it is remembered for the next one. */
static bool is_lasting(struct heal *heal, struct key_facts *facts)
{
	uint64_t state = hash_number(hash_number(0, (uint64_t)facts->value), (uint64_t)facts->live);

	state = hash_number(hash_number(state, (uint64_t)facts->stale), (uint64_t)facts->slots);
	facts->mark = heal_memory_see(&heal->memory, facts->key, state);
	return heal->memory.current.list[facts->mark].lasts;
}

/* Does this key need repair now? */
static bool judge(struct healing *healing, struct key_facts *facts)
{
	int64_t now = db_now(healing->db);
	bool in_use = facts->live > 0 || facts->waiting;
	bool right = adds_up(facts);

	facts->exact = !right && is_lasting(healing->heal, facts);
	facts->sure = right || facts->exact;
	bool expired = facts->known && facts->expires_at <= now && facts->sure;
	bool ends = facts->known && facts->expires_at < now + SOON && in_use;
	bool open = facts->waiting && (!facts->known || facts->value > 0);
	healing->heal->dropped = healing->heal->dropped || (expired && !in_use);
	return facts->exact || open || ends || expired;
}

/*
 * Where Solid Queue works, too, a missing slot may be one that it is about to return: it ends a job
 * in one transaction and returns the slot in a second one.
 */
static enum status look_for_others(struct healing *healing)
{
	struct shared shared;
	enum status status;

	if (healing->asked || healing->heal->patience == 0)
		return STATUS_OK;
	status = shared_look(healing->db, healing->arena, NULL, &shared, healing->error);
	healing->asked = status == STATUS_OK;
	healing->others = healing->asked && shared.others > 0;
	return status;
}

/* How many of the missing slots may be returned to the semaphore. */
static int64_t may_return(const struct healing *healing, const struct key_facts *facts)
{
	const struct heal *looks = healing->heal;

	if (!facts->exact)
		return 0;
	if (!healing->others)
		return facts->slots > 0 ? facts->slots : 1;
	return heal_mark_leaked(&looks->memory.current.list[facts->mark], looks->patience,
				clock_monotonic());
}

static void add_key(const struct healing *healing, struct db_list *keys,
		    const struct key_facts *facts)
{
	DB_ADD(keys, slot_row, .key = P_TEXT(facts->key),
	       .class_name = P_TEXT(facts->class_name ? facts->class_name : ""),
	       .position = P_INT(facts->position), .exact = P_BOOL(facts->exact),
	       .sure = P_BOOL(facts->sure), .back = P_INT(may_return(healing, facts)));
}

/* Slots that no job holds, and wrong values without any. */
static int64_t count_wrong(const struct key_facts list[], size_t count)
{
	int64_t wrong = 0;

	for (size_t i = 0; i < count; i++)
		if (list[i].exact)
			wrong += list[i].stale > 0 ? list[i].stale : 1;
	return wrong;
}

/* What slots_repair has counted. */
static void take_counts(struct healing *healing, const struct key_facts list[], size_t count,
			const struct db_rows *rows)
{
	struct heal_mark *marks = healing->heal->memory.current.list;

	for (size_t i = 0; i < count; i++) {
		size_t row = 0;
		if (!list[i].exact)
			continue;
		while (row < rows->count &&
		       strcmp(db_text(rows, row, SLOTS_REPAIR_KEY), list[i].key) != 0)
			row++;
		heal_mark_count(&marks[list[i].mark],
				row < rows->count ? db_int(rows, row, SLOTS_REPAIR_MISSING) : 0,
				clock_monotonic());
	}
}

static enum status repair(struct healing *healing, const struct key_facts list[], size_t count,
			  struct error *error)
{
	struct db_calls calls = { .arena = healing->arena };
	const int64_t exact = count_wrong(list, count);
	struct slots slots = { .db = healing->db,
			       .arena = healing->arena,
			       .keys = { .arena = healing->arena } };

	for (size_t i = 0; i < count; i++)
		add_key(healing, &slots.keys, &list[i]);
	const struct db_value keys = P_ROWS(&slots.keys);
	const struct db_value now = P_TIME(db_now(healing->db));
	db_calls_add(&calls, DB_CALL(slots_lock, .keys = keys, .now = now));
	if (exact > 0)
		db_calls_add(&calls, DB_CALL(slots_find_holders, .keys = keys, .now = now));
	const size_t repaired =
		db_calls_add(&calls, DB_CALL(slots_repair, .keys = keys, .now = now));
	const size_t admits = db_calls_add(&calls, DB_CALL(slots_admit, .keys = keys, .now = now));
	if (healing->heal->audit > 0 && exact > 0)
		audit_add(&calls, healing->heal->audit, exact);
	enum status status = db_run(healing->db, healing->arena, calls.list, calls.count, error);
	if (status == STATUS_OK) {
		const struct db_rows *admitted = &calls.list[admits].rows;
		if (admitted->count > 0)
			healing->heal->admitted += db_int(admitted, 0, SLOTS_ADMIT_ADMITTED);
		take_counts(healing, list, count, &calls.list[repaired].rows);
		slots_follow_rows(&slots, admitted);
		for (size_t i = 0; i < count; i++)
			healing->heal->repaired += list[i].exact;
	} else if (refused_status(status) && count == 1) {
		slots_admit_apart(&slots);
	}
	return status;
}

static bool is_late(const struct healing *healing)
{
	return clock_monotonic() >= healing->until;
}

/*
 * A key that cannot be repaired does not hold up the others. *done moves on to the first key that
 * is still to be done.
 */
static enum status repair_singly(struct healing *healing, const struct key_facts list[],
				 size_t count, size_t *done)
{
	struct error error = { 0 };

	while (*done < count && !(*done > 0 && is_late(healing))) {
		enum status status = repair(healing, &list[*done], 1, &error);
		if (status != STATUS_OK)
			*healing->error = error;
		if (status == STATUS_DOWN)
			return status;
		healing->heal->failed += status != STATUS_OK;
		++*done;
	}
	return STATUS_OK;
}

/* All at once or, if that fails, one by one. *done as in repair_singly. */
static enum status repair_all(struct healing *healing, const struct key_facts list[], size_t count,
			      size_t *done)
{
	struct heal *memory = healing->heal;

	if (!memory->singly) {
		struct error error = { 0 };
		enum status status = repair(healing, list, count, &error);
		if (status == STATUS_OK) {
			*done = count;
			return STATUS_OK;
		}
		*healing->error = error;
		if (status == STATUS_DOWN)
			return status;
		memory->singly = true;
		if (is_late(healing))
			return STATUS_OK;
	}
	return repair_singly(healing, list, count, done);
}

static void tell(const struct heal *heal, const struct key_facts list[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].exact && list[i].stale == 0)
			heal->tell(heal->data, list[i].semaphore);
}

/* The next look begins after this key; NULL: at the first. */
static void go_on(struct heal *heal, const char *key)
{
	char *after = key ? strdup(key) : NULL;

	if (key && !after)
		out_of_memory();
	free(heal->after);
	heal->after = after;
}

/* Repairs the keys of a window that need it; what time does not allow is left for the next call. */
static enum status deal_with(struct healing *healing, const struct key_facts list[], size_t count,
			     bool *whole)
{
	size_t done = 0;
	enum status status = repair_all(healing, list, count, &done);

	*whole = done == count;
	if (done > 0 && !*whole)
		go_on(healing->heal, list[done - 1].key);
	return status;
}

/* Looks at the next keys after heal->after, and moves it on; NULL = those were all. */
static enum status look(struct healing *healing)
{
	struct heal *memory = healing->heal;
	struct db_rows rows = { 0 };
	enum status status = db_query(
		healing->db, healing->arena,
		DB_CALL(slots_examine, .after = P_TEXT(memory->after), .limit = P_INT(WINDOW)),
		&rows, healing->error);
	size_t count = 0;
	bool exact = false;
	bool whole = true;

	if (status != STATUS_OK)
		return status;
	struct key_facts *list = arena_array(healing->arena, rows.count + 1, sizeof(*list));
	for (size_t i = 0; i < rows.count; i++) {
		struct key_facts facts = read_facts(&rows, i);
		if (judge(healing, &facts))
			list[count++] = facts;
		exact = exact || facts.exact;
	}
	status = exact ? look_for_others(healing) : STATUS_OK;
	if (status != STATUS_OK)
		return status;
	if (memory->tell)
		tell(memory, list, count);
	else if (count > 0)
		status = deal_with(healing, list, count, &whole);
	if (status != STATUS_OK || !whole)
		return status;
	memory->looked += (int64_t)rows.count;
	go_on(memory,
	      rows.count == WINDOW ? db_text(&rows, rows.count - 1, SLOTS_EXAMINE_KEY) : NULL);
	return STATUS_OK;
}

/* A look is over: the next one compares with what it saw. */
static void conclude(struct heal *heal)
{
	heal_memory_conclude(&heal->memory);
	heal->unsure = heal->memory.before.count > 0 || heal->dropped;
	heal->dropped = heal->singly = false;
}

enum status heal(struct db *db, struct heal *heal, struct error *error)
{
	struct healing healing = { .db = db, .heal = heal, .arena = arena_new(), .error = error };
	enum status status;

	const int64_t retry_for = db_retry_for(db);

	healing.until = heal->most > 0 ? clock_monotonic() + heal->most : CLOCK_NEVER;
	if (heal->most > 0 && heal->most < retry_for)
		(void)db_set_retry_for(db, heal->most);
	heal->looked = heal->repaired = heal->admitted = heal->failed = 0;
	if (!heal->after)
		go_on(heal, "");
	do {
		arena_clear(healing.arena);
		status = look(&healing);
	} while (status == STATUS_OK && heal->after && !is_late(&healing));
	(void)db_set_retry_for(db, retry_for);
	arena_free(healing.arena);
	if (status != STATUS_OK)
		go_on(heal, NULL);
	if (!heal->after)
		conclude(heal);
	return status;
}

void heal_clear(struct heal *heal)
{
	free(heal->memory.before.list);
	free(heal->memory.current.list);
	free(heal->after);
	*heal = (struct heal){ 0 };
}
