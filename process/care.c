#include "process/care.h"

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "common/process.h"
#include "queue/processes/loss.h"

bool death_send(int fd, const struct death *death)
{
	ssize_t written;

	do {
		written = write(fd, death, sizeof(*death)); /* far smaller than PIPE_BUF: whole */
	} while (written < 0 && errno == EINTR);
	return written == (ssize_t)sizeof(*death);
}

void care_init(struct care *care, const struct config *config)
{
	*care = (struct care){ .deaths_fd = -1, .notice_fd = -1 };
	healing_init(&care->healing, config);
}

void care_resume(struct care *care, const struct config *config, struct healing *kept)
{
	care->kept = kept;
	if (kept->looked_at == 0)
		return;
	care->healing = *kept;
	healing_adopt(&care->healing, config);
}

/* Is there one who is to be buried? Those that come after it wait in the pipe. */
static bool hear(struct care *care)
{
	struct death *death = &care->death;

	if (death->pid == 0 && care->deaths_fd >= 0 &&
	    read(care->deaths_fd, death, sizeof(*death)) != (ssize_t)sizeof(*death))
		death->pid = 0;
	return death->pid > 0;
}

bool care_is_done(struct care *care)
{
	return !hear(care);
}

/* In Solid Queue's words, for the error of a job: "Exited with status 1.". */
static void tell_ending(int status, char *text, size_t size)
{
	if (WIFSIGNALED(status))
		(void)snprintf(text, size, "Received unhandled signal %d.", WTERMSIG(status));
	else
		(void)snprintf(text, size, "Exited with status %d.", WEXITSTATUS(status));
}

/* UNCERTAIN needs no special treatment: burying again then finds nothing. */
static enum status bury(struct care *care, struct membership *member, const struct death *death,
			struct error *error)
{
	char how[64];
	char ending[64]; /* for the jobs it ran */
	const struct burial burial = { death->name, death->pid, ending };
	struct loss_result result = { 0 };

	process_how(death->status, how, sizeof(how));
	tell_ending(death->status, ending, sizeof(ending));
	FAULT_POINT("janitor.burying");
	enum status status =
		process_bury(member->db, &burial, &care->healing.policy, &result, error);
	if (status == STATUS_NONE) { /* its row had vanished: perhaps its claims are orphans */
		healing_begin(&care->healing, false);
		status = STATUS_OK;
	} else if (status == STATUS_OK) {
		log_event(LOG_WARN, "process.buried", LOG_TEXT("name", death->name),
			  LOG_TEXT("host", member->row.hostname), LOG_INT("child", death->pid),
			  LOG_TEXT("how", how), LOG_INT("released", result.released),
			  LOG_INT("failed", result.failed));
	}
	FAULT_POINT("janitor.buried");
	return status;
}

enum status care_bury(struct care *care, struct membership *member, struct error *error)
{
	char number[16];

	if (!hear(care))
		return STATUS_OK;
	enum status status = bury(care, member, &care->death, error);
	if (status != STATUS_OK)
		return status;
	(void)snprintf(number, sizeof(number), "%u", care->death.number);
	notice_send(care->notice_fd, NOTICE_BURIED, care->lane, number);
	care->death.pid = 0;
	return STATUS_OK;
}

int64_t care_due(struct care *care)
{
	int64_t due = hear(care) ? 0 : healing_due(&care->healing);

	return due > care->retry_at ? due : care->retry_at;
}

enum status care_run(struct care *care, struct membership *member, struct error *error)
{
	enum status status = care_bury(care, member, error);

	if (status == STATUS_OK && care_is_done(care)) /* once for all of them */
		status = healing_tend(&care->healing, member, error);
	if (status == STATUS_OK)
		care->retry_at = 0;
	if (care->kept)
		*care->kept = care->healing;
	return status;
}
