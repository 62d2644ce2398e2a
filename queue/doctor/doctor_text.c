/* The kinds of wrong rows in words. */
#include "queue/doctor/doctor.h"

static const struct ailment_text texts[] = {
	[AILMENT_MISSING_JOB] = {
		.name = "executions_without_job",
		.title = "executions without a job",
		.example = "job",
		.meaning = "A row says that a job is ready, scheduled, claimed, blocked or failed, "
			   "but there is no such job: it was deleted where foreign keys are not "
			   "enforced.",
		.mend = "These rows are deleted.",
	},
	[AILMENT_FINISHED] = {
		.name = "finished_jobs_in_a_table",
		.title = "finished jobs still in a table",
		.example = "job",
		.meaning = "A job is finished, but a row would have it run again, or says that it "
			   "is running or has failed.",
		.mend = "These rows are deleted; the job stays finished.",
	},
	[AILMENT_SILENT] = {
		.name = "silent_processes",
		.title = "processes without a heartbeat",
		.example = "process",
		.meaning = "A process has not beaten for longer than it may: it was killed with its "
			   "supervisor, or its host is gone. A running supervisor mends this by "
			   "itself.",
		.mend = "Their rows are deleted; each of their jobs is counted as lost and becomes "
			"ready again, or failed where it was lost too often or by other software.",
	},
	[AILMENT_NO_SUPERVISOR] = {
		.name = "processes_without_supervisor",
		.title = "processes without a supervisor",
		.example = "process",
		.meaning = "A process has no heartbeat either, and the supervisor that it belonged to "
			   "has no row any more. A running supervisor mends this by itself.",
		.mend = "As for processes without a heartbeat.",
	},
	[AILMENT_NO_PROCESS] = {
		.name = "claims_without_process",
		.title = "claims without a process",
		.example = "job",
		.meaning = "A job is claimed, but the process that claimed it has no row any more: "
			   "nobody runs it, or a process that was presumed dead. A running "
			   "supervisor mends this by itself.",
		.mend = "Each is counted as lost and becomes ready again, or failed where it was lost "
			"too often.",
	},
	[AILMENT_TIME] = {
		.name = "times_that_are_none",
		.title = "times that cannot be compared",
		.example = "job",
		.meaning = "A time of a job was written by hand and is not what the queue compares "
			   "(in SQLite YYYY-MM-DD HH:MM:SS in UTC, without T or Z; in PostgreSQL "
			   "infinity, in MySQL a date of zeros): the job is due too late, too "
			   "early or never. A running dispatcher mends that of scheduled jobs in "
			   "SQLite by itself.",
		.mend = "What can be read as a time is written in that form; what cannot, and "
			"infinity, becomes now, so that a scheduled job is due.",
	},
	[AILMENT_NOWHERE] = {
		.name = "jobs_in_no_table",
		.title = "jobs in no table",
		.example = "job",
		.meaning = "A job is not finished, but nothing says that it is ready, scheduled, "
			   "claimed, blocked or failed: nobody would ever run it.",
		.mend = "They become ready, or scheduled if their time is still to come or a "
			"concurrency key limits them.",
	},
	[AILMENT_SEVERAL_TABLES] = {
		.name = "jobs_in_several_tables",
		.title = "jobs in several tables",
		.example = "job",
		.meaning = "A job is in more than one state at once and may run more often than it "
			   "should.",
		.mend = "The state that is furthest on stays: claimed, failed, ready, blocked, "
			"scheduled.",
	},
	[AILMENT_BEYOND] = {
		.name = "jobs_beyond_their_limit",
		.title = "jobs beyond the limit of their key",
		.example = "job",
		.meaning = "More jobs of a concurrency key are ready or run than the limit of their "
			   "class allows, and these hold no slot: the rows were written by hand, or "
			   "by software that does not know the limit. A worker of dray does not run "
			   "them before they have a slot; other software would.",
		.mend = "Those that are ready are dispatched anew, one for each slot. One that runs "
			"already is left to end.",
	},
	[AILMENT_EMPTY_KEY] = {
		.name = "blocked_without_key",
		.title = "jobs blocked by an empty key",
		.example = "job",
		.meaning = "A job waits for a concurrency key of no letters, which nothing holds: the "
			   "row was written by hand. A running dispatcher mends this by itself.",
		.mend = "They are let in, as many at once as the limit of their class allows.",
	},
	[AILMENT_VALUE] = {
		.name = "semaphores_off",
		.title = "semaphores that count wrong",
		.example = "semaphore",
		.meaning = "What a concurrency limit has free and what is held of it are not what "
			   "the class may have, and were not two seconds before: a process died "
			   "between two transactions of Solid Queue, or somebody changed rows or "
			   "the limit. A running dispatcher mends this by itself.",
		.mend = "The value becomes what the limit leaves, and who waits is let in. Slots "
			"that are missing while processes of other software work with the tables "
			"are left to the dispatcher, which waits until nobody can be about to "
			"return them.",
	},
	[AILMENT_SLOT] = {
		.name = "slots_held_by_nobody",
		.title = "slots held by nobody",
		.example = "job",
		.meaning = "A slot of a concurrency limit belongs to a job that is neither ready nor "
			   "running, or does not exist: others wait for it. A running dispatcher "
			   "mends this by itself, and Solid Queue leaves it so for a moment when a "
			   "job ends there.",
		.mend = "Those that are still there two seconds later are given to who waits.",
	},
};

const struct ailment_text *ailment_text(enum ailment ailment)
{
	return &texts[ailment];
}
