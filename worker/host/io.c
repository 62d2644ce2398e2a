#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/loop.h"
#include "common/text/parse.h"
#include "worker/host/host.h"
#include "worker/host/message.h"
#include "worker/report.h"
#include "worker/state.h"

#define LISTEN_READS 64 /* of EXEC_BUFFER: more than a socket holds */

static bool on_ready(struct host *host, const char *body, size_t length)
{
	struct host_group *group = host_group_of(host);

	(void)body;
	host->ready = true;
	group->failures = 0;
	group->starting = false;
	worker_close_fd(host->worker, &host->report);
	host_group_serve(host->worker, group);
	return length == 0;
}

static bool on_refused(struct host *host, const char *body, size_t length)
{
	const char *text;

	if (host->ready || !host->slot || !host_get_texts(body, length, &text, 1))
		return false;
	host->refusal = arena_strdup(host->slot->arena, text);
	return true;
}

static bool on_said(struct host *host, const char *body, size_t length)
{
	const char *text;

	if (!host->slot || !host_get_texts(body, length, &text, 1))
		return false;
	report_said(&host->slot->claim.job, text);
	return true;
}

static bool on_finished(struct host *host, const char *body, size_t length)
{
	(void)body;
	if (!host->ready || !host->slot || length != 0)
		return false;
	slot_succeed(host->slot);
	FAULT_POINT("worker.host_finished");
	host_release(host);
	return true;
}

static bool on_failed(struct host *host, const char *body, size_t length)
{
	struct slot *slot = host->slot;
	const char *texts[2];
	const char *message;

	if (!host->ready || !slot || !host_get_texts(body, length, texts, 2))
		return false;
	message = arena_strdup(slot->arena, texts[1]);
	/*
	 * The programs that it had started got the signal too: it may have failed because of that.
	 */
	if (!slot_interrupted(slot, message))
		slot_fail(slot, arena_strdup(slot->arena, texts[0]), message, NULL);
	host_release(host);
	return true;
}

/* What it says holds, whether or not it was asked to stop. */
static bool on_ended(struct host *host, const char *body, size_t length)
{
	struct slot *slot = host->slot;
	const char *texts[4];
	int64_t what, wait;

	if (!host->ready || !slot || !host_get_texts(body, length, texts, 4) ||
	    parse_int(texts[2], SAYS_DISCARD, SAYS_RETRY, &what) != STATUS_OK ||
	    parse_int(texts[3], 0, CONFIG_WAIT_MOST, &wait) != STATUS_OK)
		return false;
	struct config_end *said = arena_alloc(slot->arena, sizeof(*said));
	*said = (struct config_end){ .what = (enum config_says)what, .wait = wait };
	slot->said = said;
	slot_fail(slot, arena_strdup(slot->arena, texts[0]), arena_strdup(slot->arena, texts[1]),
		  NULL);
	host_release(host);
	return true;
}

/* Only a job that was asked to stop may do so. */
static bool on_given_back(struct host *host, const char *body, size_t length)
{
	(void)body;
	if (!host->ready || !host->slot || !host->leaving || length != 0)
		return false;
	slot_interrupt(host->slot, JOB_GAVE_BACK);
	host_release(host);
	return true;
}

typedef bool reply_function(struct host *host, const char *body, size_t length);

static reply_function *const replies[] = {
	[HOST_READY] = on_ready,           [HOST_REFUSED] = on_refused, [HOST_SAID] = on_said,
	[HOST_FINISHED] = on_finished,     [HOST_FAILED] = on_failed,   [HOST_ENDED] = on_ended,
	[HOST_GIVEN_BACK] = on_given_back,
};

/* After something that is not a message nothing more is read from it. */
static void take_replies(struct host *host)
{
	struct host_frame frame;
	const char *body = NULL;
	size_t offset = 0;
	enum status status = STATUS_OK;

	while (!host->nonsense && status == STATUS_OK) {
		status = host_next_reply(&host->received, &offset, &frame, &body);
		if (status == STATUS_OK && !replies[frame.kind](host, body, frame.length))
			status = STATUS_INVALID;
		host->nonsense = status == STATUS_INVALID;
	}
	if (host->nonsense) {
		offset = host->received.length;
		(void)kill(host->pid, SIGKILL);
	}
	if (offset == 0)
		return;
	memmove(host->received.data, host->received.data + offset, host->received.length - offset);
	host->received.length -= offset;
}

/* A host that closes its end is ending; if it does not end, it is made to. */
static void on_end(struct host *host, bool unread)
{
	host->unread = host->unread || unread;
	loop_unwatch(host->worker->loop, host->socket);
	host_dismiss(host);
	if (host->leave_by == CLOCK_NEVER)
		host->leave_by = clock_monotonic() + HOST_LEAVES_WITHIN;
}

/*
 * One read; false when there is nothing to read now. A socket whose other end was closed with
 * unread bytes in it reports ECONNRESET.
 */
static bool receive(struct host *host)
{
	char *buffer = host->worker->buffer;
	ssize_t length = recv(host->socket, buffer, EXEC_BUFFER, MSG_DONTWAIT);

	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (length <= 0) {
		on_end(host, length < 0 && errno == ECONNRESET);
		return false;
	}
	text_append(&host->received, buffer, (size_t)length);
	take_replies(host);
	return true;
}

void host_on_socket(void *context)
{
	struct host *host = context;

	if (host->sent < host->unsent.length)
		host_flush(host);
	(void)receive(host);
}

void host_listen(struct host *host)
{
	for (int i = 0; i < LISTEN_READS && receive(host); i++)
		;
}
