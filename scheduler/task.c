#include "scheduler/task.h"

#include "common/clock.h"
#include "common/hash.h"
#include "policy/policy.h"
#include "queue/recurring/task.h"

#define BACKWARD CLOCK_MINUTE /* a step of the clock that is more than noise */

void task_continue(struct task *task, int64_t from)
{
	const struct config_task *config = task->config;
	struct schedule_occurrence occurrence;

	from = clock_later(from, task->resumed_at);
	task->from = config->starts > INT64_MIN ? clock_later(from, config->starts - 1) : from;
	task->next = CLOCK_NEVER;
	if (config->enabled && !task->paused &&
	    schedule_next(config->timer, task->from, &occurrence) &&
	    occurrence.instant <= config->ends)
		task->next = occurrence.instant;
}

/*
 * If a clock that was ahead decided on later occurrences, that is no reason to stand still until
 * then, either.
 */
void task_resume(struct task *task, int64_t since, int64_t last, int64_t now)
{
	int64_t from = clock_later(clock_later(since, last), now - RECURRING_MEMORY);

	task_continue(task, clock_earlier(from, now));
}

void task_follow_clock(struct task *task, int64_t now)
{
	if (task->from > now + BACKWARD && task->config->starts <= now)
		task_continue(task, now);
	if (task->retry_at > now + BACKWARD)
		task->retry_at = now;
}

int64_t task_wakes(const struct task *task)
{
	return clock_later(task->next, task->retry_at);
}

/* How many of the missed occurrences get a job? */
static size_t wanted(const struct config_task *config)
{
	if (config->misfire == MISFIRE_ALL || config->overlap == OVERLAP_QUEUE)
		return (size_t)config->misfire_limit;
	return config->misfire == MISFIRE_ONCE ? 1 : 0;
}

#define ON_TIME (TASK_LATE / CLOCK_SECOND + 1) /* occurrences are whole seconds */

/* Counts the occurrences that get no job, back to where the task stands. */
static void count_missed(const struct task *task, int64_t latest, struct due *due)
{
	const struct schedule *timer = task->config->timer;
	struct schedule_occurrence occurrence = { .instant = latest };

	due->missed = latest;
	due->missed_from = latest;
	due->missed_count = 1;
	while (due->missed_count < RECURRING_COUNTED &&
	       schedule_previous(timer, occurrence.instant, &occurrence) &&
	       occurrence.instant > task->from) {
		due->missed_from = occurrence.instant;
		due->missed_count++;
	}
	if (due->missed_count == RECURRING_COUNTED && schedule_next(timer, task->from, &occurrence))
		due->missed_from = occurrence.instant;
}

/*
 * Looks back from now: first occurrences that are only late, then as many missed ones as are
 * wanted.
 */
struct due task_due(const struct task *task, struct arena *arena, int64_t now)
{
	const struct config_task *config = task->config;
	size_t room = wanted(config);
	int64_t *list = arena_array(arena, room + ON_TIME, sizeof(*list));
	int64_t oldest = now - config->misfire_window;
	struct schedule_occurrence occurrence = { .instant = clock_earlier(now, config->ends) + 1 };
	struct due due = { .occurrences = list };

	while (schedule_previous(config->timer, occurrence.instant, &occurrence) &&
	       occurrence.instant > task->from) {
		bool late = occurrence.instant >= now - TASK_LATE;
		if (!late && (room == 0 || occurrence.instant <= oldest)) {
			count_missed(task, occurrence.instant, &due);
			break;
		}
		room -= late ? 0 : 1;
		list[due.count++] = occurrence.instant;
	}
	for (size_t i = 0; i < due.count / 2; i++) {
		int64_t other = list[due.count - 1 - i];
		list[due.count - 1 - i] = list[i];
		list[i] = other;
	}
	return due;
}

int64_t task_job_at(const struct task *task, int64_t occurrence)
{
	if (task->config->jitter <= 0)
		return occurrence;
	uint64_t hash = hash_text(HASH_START ^ (uint64_t)occurrence, task->config->key);
	hash ^= hash >> 29;
	return occurrence + (int64_t)(hash % ((uint64_t)task->config->jitter + 1));
}

enum status task_job(const struct task *task, const struct config *config, struct arena *arena,
		     struct new_job *job, struct error *error)
{
	const struct config_task *own = task->config;
	const struct recurring_task row = { .class_name = own->class, .queue = own->queue };

	*job = (struct new_job){ .class_name = own->class,
				 .array = task->arguments,
				 .queue = own->queue,
				 .has_priority = own->has_priority,
				 .priority = own->priority,
				 .timeout = own->timeout > 0 ? own->timeout : 0,
				 .at = task_job_at(task, job->run_at),
				 .task_key = own->key,
				 .run_at = job->run_at,
				 .task_since = task->since,
				 .task_dynamic = task->dynamic };
	policy_defaults(config, job);
	job->queue = recurring_queue(&row, job->queue);
	return policy_keys(arena, config, job, NULL, error);
}

int task_by_key(const void *left, const void *right)
{
	const struct task *a = left;
	const struct task *b = right;

	return strcmp(a->config->key, b->config->key);
}
