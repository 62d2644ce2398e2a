/* Facts about this process and its settings: title, host name, descriptors, pipes. */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/error.h"

#define HOSTNAME_SIZE 256
#define USERNAME_SIZE 256

/*
 * The exit statuses of a role process, by which the supervisor decides whether to restart it. The
 * same numbers are documented for the command.
 */
enum exit_code {
	EXIT_STOPPED = 0,  /* did what was asked */
	EXIT_ERROR = 1,    /* failed: the operation did not happen */
	EXIT_USAGE = 2,    /* wrong command line or configuration: do not restart */
	EXIT_DATABASE = 3, /* the database is down: restart with backoff */
	EXIT_BUG = 70,     /* EX_SOFTWARE: an internal error */
};

/*
 * Remembers argv's memory for process_title, and hides the secrets of URLs there, because others
 * read it with ps. Afterwards main's argv points to a copy. Call it first in main.
 */
void process_init(int argc, char **argv);

/*
 * Starts the program again in this process, with its original arguments and the signals that are
 * blocked now. Returns only when that fails, with errno.
 */
void process_restart(void);

/* Is this program one that process_restart has started? */
bool process_restarted(void);

/* Is process 1, as this one sees it, a dray, as in a container that runs nothing else? */
bool process_contained(void);

/* Sets what ps shows: "dray: worker [default] 2/3 busy". Also sets the comm name (15 bytes). */
void process_title(const char *title);

#define PROCESS_COMM 32

/* The name of a process: that of its program, until it has a title. False: it cannot be read. */
bool process_comm(pid_t pid, char comm[PROCESS_COMM]);

/*
 * Is there such a process, whose title begins so? A number may be another process's by now, which
 * must not be signalled. The kernel keeps 15 bytes of a title.
 */
bool process_has_title(pid_t pid, const char *title);

/* A signal that means "look", and that processes which do not handle it ignore. */
#define PROCESS_LOOK SIGURG

/* This machine's host name, with invalid UTF-8 replaced by '?'. */
void process_hostname(char name[HOSTNAME_SIZE]);

/*
 * The user who runs this process: the name, behind sudo and process_become_owner that of the
 * calling user, or the number of a user without a name; invalid UTF-8 is replaced by '?'.
 */
void process_user(char name[USERNAME_SIZE]);

/*
 * Where the folder belongs to another user, and root runs this process, it becomes that user for
 * good, with the user's groups, HOME, USER and LOGNAME: then nothing that the user has put there
 * can turn root's rights to account, and what is made there is the user's. INVALID: it cannot, or
 * it is `running` and too late, and must leave the folder alone. A folder that does not exist
 * changes nothing.
 */
enum status process_become_owner(const char *folder, bool running, struct error *error) MUST_CHECK;

/* strerrordesc_np(number), with the user that process_become_owner has chosen. */
const char *process_reason(int number);

/* How a process ended: "exited with status 1", "killed by signal 9 (KILL), core dumped". */
void process_how(int status, char *text, size_t size);

/*
 * A child of the main thread that who has started it waits for, by its number. A worker, which ends
 * and reaps what its jobs leave behind, spares it.
 */
void process_expect(pid_t pid);
void process_expect_no_more(pid_t pid);
bool process_is_expected(pid_t pid);

/* A pipe, both ends close-on-exec, nonblocking if asked for. */
enum status process_pipe(int fds[2], bool nonblocking, struct error *error) MUST_CHECK;

/*
 * What a parent may have left to us and nothing here could work with: opens /dev/null on 0, 1 and 2
 * where they are closed, so that no file lands there by accident; SIGCHLD is not ignored, or nobody
 * would learn how a child ended; the umask leaves us what we make ourselves;
 * no timer runs that would end us.
 */
void process_settle(void);

/* What HUP means: read the files again, or the end of the terminal that we were started on. */
enum hangup {
	HANGUP_RELOAD,
	HANGUP_STOP,    /* our terminal is gone */
	HANGUP_NOTHING, /* it was ignored when we were started (nohup) */
};

/*
 * What a HUP with this si_code means. Queued ones (SI_QUEUE) come from `dray reload`, whatever has
 * become of the terminal.
 */
enum hangup hangup_meaning(int code);

/*
 * Reads a whole file (at most `maximum` bytes, else INVALID) into malloc'd text with a NUL. NONE
 * when there is no such file; INVALID with the reason when it cannot be read or is a directory.
 */
enum status file_read(const char *path, size_t maximum, char **data, size_t *length,
		      struct error *error) MUST_CHECK;

#endif
