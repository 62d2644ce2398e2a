#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/jobs/filter.h"
#include "cli/output/cells.h"
#include "cli/record.h"
#include "cli/top/screen.h"
#include "cli/top/top.h"
#include "common/process.h"
#include "queue/manage/manage.h"
#include "queue/pauses/pause.h"

void top_ask(struct top *top, int key)
{
	const struct survey_queue *queue = top_selected(top);

	top->answer[0] = '\0';
	if (!queue)
		(void)snprintf(top->message, sizeof(top->message), "no queue is selected");
	else if (key == 'r' && queue->row.counts[JOB_FAILED] == 0)
		(void)snprintf(top->message, sizeof(top->message), "nothing has failed in %s",
			       queue->row.name);
	else if (key == 'r')
		top->question = TOP_RETRY;
	else
		top->question = queue->row.paused ? TOP_RESUME : TOP_PAUSE;
}

const char *top_prompt(const struct top *top, struct arena *arena)
{
	const struct survey_queue *queue = top_selected(top);
	const char *name = queue ? cell_clean(arena, queue->row.name) : "";

	if (top->question == TOP_PAUSE)
		return arena_printf(arena, "Pause %s? (Enter: yes, Esc: no) Reason: %s", name,
				    top->answer);
	if (top->question == TOP_RESUME)
		return arena_printf(arena, "Resume %s? (y/n)", name);
	return arena_printf(arena, "Retry all failed jobs of %s? (y/n)", name);
}

static void pause_or_resume(struct top *top, const char *queue, bool pause)
{
	struct error error = { 0 };
	struct pause_note note;
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];
	bool changed = false;
	enum status status;

	pause_note_init(&note, who, host);
	note.reason = *top->answer ? top->answer : NULL;
	if (pause)
		status = pause_queues(top->cli->db, &queue, 1, &note, &changed, &error);
	else
		status = resume_queues(top->cli->db, &queue, 1, &note, &changed, &error);
	if (status != STATUS_OK)
		(void)snprintf(top->message, sizeof(top->message), "%s", error.text);
	else
		(void)snprintf(top->message, sizeof(top->message), "%s %s", queue,
			       pause ? "paused" : "resumed");
}

static void retry(struct top *top, const char *queue)
{
	const struct job_filter filter = { .has_state = true, .state = JOB_FAILED, .queue = queue };
	struct arena *arena = arena_new();
	struct error error = { 0 };
	int64_t count = 0;
	struct record record = { .action = "retry",
				 .target = filter_text(arena, &filter, "failed") };
	enum status status = record_begin(top->cli, &record, &error);

	if (status == STATUS_OK) {
		status = job_retry_all(top->cli->db, &filter, &count, &error);
		record_end(top->cli, record.id, count, status == STATUS_OK);
	}
	if (status != STATUS_OK)
		(void)snprintf(top->message, sizeof(top->message), "%s", error.text);
	else
		(void)snprintf(top->message, sizeof(top->message), "retried %" PRId64 " of %s",
			       count, queue);
	arena_free(arena);
}

static void act(struct top *top)
{
	const struct survey_queue *queue = top_selected(top);

	if (queue && top->question == TOP_RETRY)
		retry(top, queue->row.name);
	else if (queue)
		pause_or_resume(top, queue->row.name, top->question == TOP_PAUSE);
	top->question = TOP_NOTHING;
}

/* Adds a byte to the reason; UTF-8 characters arrive byte by byte. */
static void type(struct top *top, int key)
{
	size_t length = strlen(top->answer);

	if (key == SCREEN_BACKSPACE) {
		while (length > 0 && ((unsigned char)top->answer[length - 1] & 0xc0) == 0x80)
			length--;
		top->answer[length > 0 ? length - 1 : 0] = '\0';
	} else if (key >= ' ' && key < 0x100 && length + 1 < sizeof(top->answer)) {
		top->answer[length] = (char)key;
		top->answer[length + 1] = '\0';
	}
}

void top_answer(struct top *top, int key)
{
	bool typing = top->question == TOP_PAUSE;

	if (key == SCREEN_NONE || key == SCREEN_RESIZED)
		return;
	if (key == SCREEN_ESCAPE || (!typing && key != 'y'))
		top->question = TOP_NOTHING;
	else if (!typing || key == SCREEN_ENTER)
		act(top);
	else
		type(top, key);
}
