#include "queue/doctor/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "db/operations.h"
#include "queue/limits/heal.h"
#include "queue/manage/audit.h"
#include "queue/pauses/pause.h"
#include "queue/processes/process.h"
#include "queue/refused/refused.h"

/* What is found is noted, a few of each. */

bool doctor_found(const struct doctor *doctor)
{
	for (size_t i = 0; i < AILMENTS; i++)
		if (doctor->found[i].count > 0)
			return true;
	return false;
}

/* This is wrong with the job, the process. `detail`: what, with this one; NULL = the same as for
 * all. */
static void note_detail(struct doctor *doctor, enum ailment ailment, int64_t id, const char *detail)
{
	struct ailment_found *finding = &doctor->found[ailment];

	if (finding->count < DOCTOR_EXAMPLES) {
		finding->examples[finding->count] = id;
		if (detail)
			(void)snprintf(finding->details[finding->count], DOCTOR_DETAIL_SIZE, "%s",
				       detail);
	}
	finding->count++;
}

static void note(struct doctor *doctor, enum ailment ailment, int64_t id)
{
	note_detail(doctor, ailment, id, NULL);
}

/* The examination. */

/* Jobs per look: statements stay short, and one repair takes all that a look finds. */
#define WINDOW      1000
#define STRAYS_MOST 20000 /* per look; more of one key are found in parts */

/* What one look found that is repaired by the same operation: jobs, or sequences. */
struct patients {
	const char *look; /* for examine_listed */
	enum ailment ailment;
	const char *operation;
	bool dated; /* the operation takes the current time */
	int64_t ids[WINDOW];
	size_t count;
};

static enum status mend(struct doctor *doctor, const struct patients *patients, struct error *error)
{
	if (!doctor->mend || patients->count == 0)
		return STATUS_OK;
	struct arena *arena = arena_new();
	struct db_calls calls = { .arena = arena };
	const struct db_value jobs = P_IDS(patients->ids, patients->count);
	struct db_call call = DB_CALL(mend_strays, .jobs = jobs);

	if (patients->dated)
		call = db_call_keep(arena, DB_CALL(mend_times, .jobs = jobs,
						   .now = P_TIME(db_now(doctor->db))));
	call.operation = patients->operation;
	db_calls_add(&calls, call);
	if (doctor->audit > 0)
		audit_add(&calls, doctor->audit, (int64_t)patients->count);
	enum status status = db_run(doctor->db, arena, calls.list, calls.count, error);

	arena_free(arena);
	return status == STATUS_NONE ? STATUS_OK : status; /* NONE: the jobs are gone by now */
}

/* Reads the next window of a look; *after is where it ended. NONE: the end was reached. */
static enum status look(struct doctor *doctor, struct arena *arena, const char *operation,
			int64_t *after, struct db_rows *rows, struct error *error)
{
	struct db_call call = DB_CALL(doctor_jobs, .after = P_INT(*after), .limit = P_INT(WINDOW));

	call.operation = operation;
	enum status status = db_query(doctor->db, arena, call, rows, error);

	if (status != STATUS_OK || rows->count == 0)
		return status == STATUS_OK ? STATUS_NONE : status;
	*after = db_int(rows, rows->count - 1, DOCTOR_JOBS_JOB_ID);
	return STATUS_OK;
}

static enum status examine_executions(struct doctor *doctor, struct arena *arena, int64_t *after,
				      struct error *error)
{
	struct patients strays = { .operation = "mend_strays" };
	struct db_rows rows = { 0 };
	enum status status =
		look(doctor, arena, DB_LIKE(doctor_executions, doctor_jobs), after, &rows, error);

	for (size_t i = 0; i < rows.count && status == STATUS_OK; i++) {
		int64_t id = db_int(&rows, i, DOCTOR_EXECUTIONS_JOB_ID);
		bool known = db_int(&rows, i, DOCTOR_EXECUTIONS_KNOWN) != 0;
		bool finished = db_int(&rows, i, DOCTOR_EXECUTIONS_FINISHED) != 0;
		if (known && !finished)
			continue;
		note(doctor, known ? AILMENT_FINISHED : AILMENT_MISSING_JOB, id);
		strays.ids[strays.count++] = id;
	}
	return status == STATUS_OK ? mend(doctor, &strays, error) : status;
}

static enum status examine_jobs(struct doctor *doctor, struct arena *arena, int64_t *after,
				struct error *error)
{
	struct patients nowhere = { .operation = DB_LIKE(mend_nowhere, mend_times), .dated = true };
	struct patients twice = { .operation = DB_LIKE(mend_twice, mend_strays) };
	struct db_rows rows = { 0 };
	enum status status = look(doctor, arena, "doctor_jobs", after, &rows, error);

	for (size_t i = 0; i < rows.count && status == STATUS_OK; i++) {
		int64_t tables = db_int(&rows, i, DOCTOR_JOBS_TABLES);
		struct patients *patients = tables == 0 ? &nowhere : &twice;
		if (tables == 1)
			continue;
		patients->ids[patients->count++] = db_int(&rows, i, DOCTOR_JOBS_JOB_ID);
		note(doctor, tables == 0 ? AILMENT_NOWHERE : AILMENT_SEVERAL_TABLES,
		     db_int(&rows, i, DOCTOR_JOBS_JOB_ID));
	}
	if (status == STATUS_OK)
		status = mend(doctor, &nowhere, error);
	return status == STATUS_OK ? mend(doctor, &twice, error) : status;
}

/* A look whose rows are what is wrong, perhaps with two texts; without the first, nothing is. */
static enum status examine_listed(struct doctor *doctor, struct arena *arena,
				  struct patients *patients, int64_t *after, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = look(doctor, arena, patients->look, after, &rows, error);

	for (size_t i = 0; i < rows.count && status == STATUS_OK; i++) {
		bool told = rows.columns > 1;
		if (told && db_is_null(&rows, i, AILING_WHAT))
			continue;
		const char *detail =
			told ? arena_printf(arena, "%s '%s'", db_text(&rows, i, AILING_WHAT),
					    db_text(&rows, i, AILING_VALUE))
			     : NULL;
		note_detail(doctor, patients->ailment, db_int(&rows, i, AILING_ID), detail);
		patients->ids[patients->count++] = db_int(&rows, i, AILING_ID);
	}
	return status == STATUS_OK && patients->operation ? mend(doctor, patients, error) : status;
}

static enum status examine_times(struct doctor *doctor, struct arena *arena, int64_t *after,
				 struct error *error)
{
	struct patients timeless = { DB_LIKE(doctor_times, doctor_jobs), AILMENT_TIME, "mend_times",
				     .dated = true };

	return examine_listed(doctor, arena, &timeless, after, error);
}

/* Only looks, because healing admits these jobs. */
static enum status examine_empty_keys(struct doctor *doctor, struct arena *arena, int64_t *after,
				      struct error *error)
{
	struct patients keyless = { DB_LIKE(doctor_empty_key, doctor_jobs), AILMENT_EMPTY_KEY,
				    .operation = NULL };

	return examine_listed(doctor, arena, &keyless, after, error);
}

static enum status examine_sequences(struct doctor *doctor, struct arena *arena, int64_t *after,
				     struct error *error)
{
	struct patients behind = { DB_LIKE(doctor_sequences, doctor_jobs), AILMENT_SEQUENCE,
				   DB_LIKE(mend_sequences, mend_strays) };

	return examine_listed(doctor, arena, &behind, after, error);
}

static enum status examine_slots(struct doctor *doctor, struct arena *arena, int64_t *after,
				 struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status =
		look(doctor, arena, DB_LIKE(doctor_slots, doctor_jobs), after, &rows, error);

	for (size_t i = 0; i < rows.count && status == STATUS_OK; i++)
		if (db_int(&rows, i, DOCTOR_SLOTS_HELD) == 0)
			note(doctor, AILMENT_SLOT, db_int(&rows, i, DOCTOR_SLOTS_JOB_ID));
	return status;
}

/* Jobs of all windows that are ready or running without a slot. */
struct strays {
	struct arena *arena;
	int64_t *list;
	size_t count;
};

static void add_stray(struct strays *strays, int64_t job)
{
	strays->list =
		arena_extend(strays->arena, strays->list, strays->count, sizeof(*strays->list));
	strays->list[strays->count++] = job;
}

static enum status find_strays(struct doctor *doctor, struct strays *strays, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status;
	int64_t after = 0;

	do {
		arena_clear(arena);
		status = look(doctor, arena, DB_LIKE(doctor_strays, doctor_jobs), &after, &rows,
			      error);
		for (size_t i = 0; status == STATUS_OK && i < rows.count; i++)
			if (db_int(&rows, i, DOCTOR_STRAYS_STRAY) != 0)
				add_stray(strays, db_int(&rows, i, DOCTOR_STRAYS_JOB_ID));
	} while (status == STATUS_OK);
	arena_free(arena);
	return status == STATUS_NONE ? STATUS_OK : status;
}

/* A single look at all of them shows which are above the limit. A running job is not repaired. */
static enum status judge_strays(struct doctor *doctor, const int64_t jobs[], size_t count,
				struct error *error)
{
	struct patients patients = { .operation = DB_LIKE(mend_beyond, mend_times), .dated = true };
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status =
		db_query(doctor->db, arena, DB_CALL(doctor_beyond, .jobs = P_IDS(jobs, count)),
			 &rows, error);

	for (size_t i = 0; i < rows.count && status == STATUS_OK; i++) {
		if (db_int(&rows, i, DOCTOR_BEYOND_BEYOND) != 0)
			note(doctor, AILMENT_BEYOND, db_int(&rows, i, DOCTOR_BEYOND_JOB_ID));
		if (db_int(&rows, i, DOCTOR_BEYOND_READY) != 0)
			patients.ids[patients.count++] = db_int(&rows, i, DOCTOR_BEYOND_JOB_ID);
		if (patients.count < WINDOW && i + 1 < rows.count)
			continue;
		status = mend(doctor, &patients, error);
		patients.count = 0;
	}
	arena_free(arena);
	return status;
}

static enum status examine_limits(struct doctor *doctor, struct error *error)
{
	struct strays strays = { .arena = arena_new() };
	enum status status = find_strays(doctor, &strays, error);

	for (size_t done = 0; done < strays.count && status == STATUS_OK; done += STRAYS_MOST) {
		size_t rest = strays.count - done;
		status = judge_strays(doctor, &strays.list[done],
				      rest < STRAYS_MOST ? rest : STRAYS_MOST, error);
	}
	arena_free(strays.arena);
	return status;
}

/* Examines one window after the other, to the last. */
static enum status examine_all(struct doctor *doctor,
			       enum status (*examine)(struct doctor *, struct arena *, int64_t *,
						      struct error *),
			       struct error *error)
{
	struct arena *arena = arena_new();
	enum status status = STATUS_OK;
	int64_t after = 0;

	while (status == STATUS_OK) {
		arena_clear(arena);
		status = examine(doctor, arena, &after, error);
	}
	arena_free(arena);
	return status == STATUS_NONE ? STATUS_OK : status;
}

static bool has_row(const struct process_row list[], size_t count, int64_t id)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].id == id)
			return true;
	return false;
}

static enum status examine_processes(struct doctor *doctor, struct error *error)
{
	struct arena *arena = arena_new();
	int64_t now = db_now(doctor->db);
	struct process_row *list = NULL;
	struct loss_result result;
	size_t count = 0;
	enum status status = process_list(doctor->db, arena, &list, &count, error);

	for (size_t i = 0; i < count; i++) {
		const struct process_row *row = &list[i];
		bool alone = row->supervisor_id > 0 && !has_row(list, count, row->supervisor_id);
		if (process_silent(&doctor->prune, row->metadata, now - row->last_heartbeat_at))
			note(doctor, alone ? AILMENT_NO_SUPERVISOR : AILMENT_SILENT, row->id);
	}
	if (status == STATUS_OK && doctor->mend)
		status = process_prune(doctor->db, &doctor->prune, &doctor->policy, &result, error);
	arena_free(arena);
	return status;
}

enum status doctor_silent(const struct doctor *doctor, int64_t *count, struct error *error)
{
	struct doctor ear = { .db = doctor->db, .prune = doctor->prune };
	enum status status = examine_processes(&ear, error);

	*count = ear.found[AILMENT_SILENT].count + ear.found[AILMENT_NO_SUPERVISOR].count;
	return status;
}

static enum status examine_claims(struct doctor *doctor, struct error *error)
{
	struct loss_result result;
	struct orphans orphans;
	int64_t after = 0;
	enum status status = STATUS_OK;

	do {
		status = process_orphans(doctor->db, after, &orphans, error);
		for (size_t i = 0; i < orphans.count; i++)
			note(doctor, AILMENT_NO_PROCESS, orphans.jobs[i]);
		after = orphans.count > 0 ? orphans.claims[orphans.count - 1] : after;
	} while (status == STATUS_OK && orphans.count == ORPHANS_MOST);
	if (status == STATUS_OK && doctor->mend)
		status = process_lose_orphans(doctor->db, &doctor->policy, &result, error);
	return status;
}

static enum status examine_refused(struct doctor *doctor, struct error *error)
{
	struct arena *arena = arena_new();
	struct pause_row *rows = NULL;
	size_t count = 0;
	enum status status = pause_list(doctor->db, arena, &rows, &count, error);

	for (size_t i = 0; i < count; i++) {
		const int64_t job = strtoll(rows[i].name, NULL, 10);
		if (strcmp(rows[i].kind, "refused") != 0)
			continue;
		note_detail(doctor, AILMENT_REFUSED, job, rows[i].note.reason);
		if (doctor->mend)
			refused_no_more(doctor->db, job);
	}
	arena_free(arena);
	return status;
}

static void note_value(void *data, int64_t semaphore)
{
	note(data, AILMENT_VALUE, semaphore);
}

/* Like healing, it looks twice: what is wrong only once may be Solid Queue ending a job. */
static enum status examine_values(struct doctor *doctor, struct error *error)
{
	struct heal heals = { .tell = note_value, .data = doctor };
	enum status status = heal(doctor->db, &heals, error);

	if (status == STATUS_OK && heals.memory.before.count > 0) {
		clock_sleep(doctor->patience);
		status = heal(doctor->db, &heals, error);
	}
	heal_clear(&heals);
	return status;
}

/* The first look finds what is wrong, and the second one repairs it. */
static enum status mend_slots(const struct doctor *doctor, struct error *error)
{
	struct doctor now = { .db = doctor->db };
	struct heal heals = { .audit = doctor->audit, .patience = doctor->prune.other_threshold };
	enum status status = STATUS_OK;

	if (doctor->mend && doctor_found(doctor))
		status = examine_all(&now, examine_slots, error);
	bool wrong = doctor->found[AILMENT_VALUE].count > 0 ||
		     doctor->found[AILMENT_EMPTY_KEY].count > 0 ||
		     doctor->found[AILMENT_BEYOND].count > 0 || doctor_found(&now);
	if (status == STATUS_OK && doctor->mend && wrong)
		status = heal(doctor->db, &heals, error);
	if (status == STATUS_OK && heals.memory.before.count > 0) {
		clock_sleep(doctor->patience);
		status = heal(doctor->db, &heals, error);
	}
	if (status == STATUS_OK && heals.failed > 0) /* error tells why */
		status = STATUS_FATAL;
	heal_clear(&heals);
	return status;
}

enum status doctor_sequences(struct doctor *doctor, struct error *error)
{
	return examine_all(doctor, examine_sequences, error);
}

enum status doctor_examine(struct doctor *doctor, struct error *error)
{
	enum status status = doctor_sequences(doctor, error);

	if (status == STATUS_OK)
		status = examine_values(doctor, error);
	if (status == STATUS_OK)
		status = examine_all(doctor, examine_slots, error);
	if (status == STATUS_OK)
		status = examine_all(doctor, examine_empty_keys, error);
	if (status == STATUS_OK)
		status = examine_all(doctor, examine_executions, error);
	if (status == STATUS_OK)
		status = examine_processes(doctor, error);
	if (status == STATUS_OK)
		status = examine_claims(doctor, error);
	if (status == STATUS_OK)
		status = examine_all(doctor, examine_times, error);
	if (status == STATUS_OK)
		status = examine_all(doctor, examine_jobs, error);
	if (status == STATUS_OK)
		status = examine_limits(doctor, error);
	if (status == STATUS_OK)
		status = examine_refused(doctor, error);
	return status == STATUS_OK ? mend_slots(doctor, error) : status;
}

/* What is said of it. */

static const struct ailment_text texts[] = {
	[AILMENT_SEQUENCE] = {
		.name = "sequences_behind",
		.title = "sequences behind their tables",
		.example = "sequence",
		.meaning = "A sequence of PostgreSQL will give out numbers that rows have already, so that inserting fails: the rows were copied without it (a logical replication, a restored dump), or written by hand with numbers of their own.",
		.mend = "They are moved forwards to the highest number that a row has.",
	},
	[AILMENT_MISSING_JOB] = {
		.name = "executions_without_job",
		.title = "executions without a job",
		.example = "job",
		.meaning = "A row says that a job is ready, scheduled, claimed, blocked or failed, but the job does not exist: it was deleted while foreign keys were not enforced.",
		.mend = "These rows are deleted.",
	},
	[AILMENT_FINISHED] = {
		.name = "finished_jobs_in_a_table",
		.title = "finished jobs still in a table",
		.example = "job",
		.meaning = "A job is finished, but another row would make it run again, or says that it is running or has failed.",
		.mend = "These rows are deleted; the job stays finished.",
	},
	[AILMENT_SILENT] = {
		.name = "silent_processes",
		.title = "processes without a heartbeat",
		.example = "process",
		.meaning = "A process has sent no heartbeat for too long: it was killed together with its supervisor, or its host is gone. A running supervisor repairs this by itself.",
		.mend = "Their rows are deleted. Each of their jobs is counted as lost and becomes ready again, or fails if it was lost too often or by other software.",
	},
	[AILMENT_NO_SUPERVISOR] = {
		.name = "processes_without_supervisor",
		.title = "processes without a supervisor",
		.example = "process",
		.meaning = "A process has sent no heartbeat for too long, and its supervisor has no row any more. A running supervisor repairs this by itself.",
		.mend = "As for processes without a heartbeat.",
	},
	[AILMENT_NO_PROCESS] = {
		.name = "claims_without_process",
		.title = "claims without a process",
		.example = "job",
		.meaning = "A job is claimed, but the process that claimed it has no row any more: the job is not running, or is run by a process that was presumed dead. A running supervisor repairs this by itself.",
		.mend = "Each job is counted as lost and becomes ready again, or fails if it was lost too often.",
	},
	[AILMENT_TIME] = {
		.name = "times_that_are_none",
		.title = "times that cannot be compared",
		.example = "job",
		.meaning = "A time of a job was written by hand and is not in a form that the queue can compare (SQLite needs YYYY-MM-DD HH:MM:SS in UTC, without T or Z; infinity in PostgreSQL and a date of zeros in MySQL are no usable times): the job is due too late, too early or never. In SQLite, a running dispatcher repairs the times of scheduled jobs by itself.",
		.mend = "A text that can be read as a time is rewritten in that form. Any other text, and infinity, becomes the current time, so that a scheduled job is due.",
	},
	[AILMENT_NOWHERE] = {
		.name = "jobs_in_no_table",
		.title = "jobs in no table",
		.example = "job",
		.meaning = "A job is not finished, but nothing says that it is ready, scheduled, "
			   "claimed, blocked or failed: it would never run.",
		.mend = "They become ready, or scheduled if their time is in the future or a concurrency key limits them.",
	},
	[AILMENT_SEVERAL_TABLES] = {
		.name = "jobs_in_several_tables",
		.title = "jobs in several tables",
		.example = "job",
		.meaning = "A job is in more than one state at once and may run more often than it "
			   "should.",
		.mend = "The state that is furthest on remains, in this order: claimed, failed, ready, blocked, scheduled.",
	},
	[AILMENT_BEYOND] = {
		.name = "jobs_beyond_their_limit",
		.title = "jobs beyond the limit of their key",
		.example = "job",
		.meaning = "More jobs of a concurrency key are ready or running than the limit of their class allows, and these hold no slot: the rows were written by hand, or by software that does not know the limit. dray's workers do not run them until they have a slot; other software would.",
		.mend = "Those that are ready are dispatched again, one for each free slot. Those that are running are left to finish.",
	},
	[AILMENT_EMPTY_KEY] = {
		.name = "blocked_without_key",
		.title = "jobs blocked by an empty key",
		.example = "job",
		.meaning = "A job waits for an empty concurrency key, which no job holds: the row was written by hand. A running dispatcher repairs this by itself.",
		.mend = "They are admitted, as many at once as the limit of their class allows.",
	},
	[AILMENT_VALUE] = {
		.name = "semaphores_off",
		.title = "semaphores with a wrong value",
		.example = "semaphore",
		.meaning = "The free slots and the held slots of a concurrency key do not add up to the limit of the class, and did not two seconds earlier: a process of Solid Queue died between two transactions, or somebody changed rows or the limit. A running dispatcher repairs this by itself.",
		.mend = "The value is set to the limit minus the held slots, and blocked jobs are admitted. If slots are missing while processes of other software use the tables, this is left to the dispatcher, which waits until none of them can be about to return a slot.",
	},
	[AILMENT_SLOT] = {
		.name = "slots_held_by_nobody",
		.title = "slots held by no job",
		.example = "job",
		.meaning = "A slot of a concurrency key belongs to a job that is neither ready nor running, or does not exist, and other jobs wait for it. A running dispatcher repairs this by itself. Solid Queue leaves a slot like this for a moment when it ends a job.",
		.mend = "Slots that are still held two seconds later are given to blocked jobs.",
	},
	[AILMENT_REFUSED] = {
		.name = "jobs_refused",
		.title = "jobs that the database refuses to change",
		.example = "job",
		.meaning = "A job cannot be claimed, finished, moved or deleted, because a trigger or a constraint of the database forbids it, or because another session has held its row locked for too long: the words of the database say which. It is set aside and tried again after growing pauses, and holds up no other job. `dray why` says since when, and until when.",
		.mend = "They are tried again at once. What forbids the change must be changed by hand; a session that holds the row must end.",
	},
};

const struct ailment_text *ailment_text(enum ailment ailment)
{
	return &texts[ailment];
}
