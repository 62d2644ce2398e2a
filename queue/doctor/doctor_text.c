/* The texts of the ailments. */
#include "queue/doctor/doctor.h"

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
		.meaning = "A job cannot be claimed, finished or moved, because a trigger or a constraint of the database forbids it. It is set aside and tried again after growing pauses, and holds up no other job. `dray why` says since when, and until when.",
		.mend = "They are tried again at once. What forbids the change must be changed by hand.",
	},
};

const struct ailment_text *ailment_text(enum ailment ailment)
{
	return &texts[ailment];
}
