#include "supervisor/pidfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/process.h"
#include "common/text/parse.h"

#define CONTENT_SIZE 32
#define TITLE        "dray: superviso" /* cut at the length of /proc/PID/comm */

static enum status make_parents(const char *path, struct error *error)
{
	char part[PATH_MAX];

	if ((size_t)snprintf(part, sizeof(part), "%s", path) >= sizeof(part))
		return error_set(error, STATUS_INVALID, "pidfile %s: the path is too long", path);
	for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(part, 0777) < 0 && errno != EEXIST)
			return error_set(error, STATUS_INVALID, "pidfile: cannot make %s: %s", part,
					 process_reason(errno));
		*slash = '/';
	}
	return STATUS_OK;
}

/* Is the open file still the one at the path? Its owner may have removed it meanwhile. */
static bool same_file(int fd, const char *path)
{
	struct stat open_file;
	struct stat named_file;

	return fstat(fd, &open_file) == 0 && stat(path, &named_file) == 0 &&
	       open_file.st_dev == named_file.st_dev && open_file.st_ino == named_file.st_ino;
}

/* The pid in the file, 0 if there is none. */
static pid_t read_pid(int fd)
{
	char content[CONTENT_SIZE];
	int64_t pid;
	ssize_t length = pread(fd, content, sizeof(content) - 1, 0);

	if (length <= 0)
		return 0;
	content[length] = '\0';
	content[strcspn(content, "\r\n")] = '\0';
	return parse_int(content, 1, INT32_MAX, &pid) == STATUS_OK ? (pid_t)pid : 0;
}

bool supervisor_is(pid_t pid)
{
	return process_has_title(pid, TITLE);
}

/* What cannot be looked at is taken for a supervisor. */
static bool may_be_supervisor(pid_t pid)
{
	char name[PROCESS_COMM];

	return !process_comm(pid, name) || supervisor_is(pid) ||
	       process_has_title(pid, PIDFILE_STARTING);
}

/*
 * Our own pid is a leftover, too: in a container every start may have the same pid. And a number is
 * given to another program, sooner or later.
 */
static bool names_living_supervisor(int fd)
{
	pid_t pid = read_pid(fd);

	return pid > 0 && pid != getpid() && (kill(pid, 0) == 0 || errno == EPERM) &&
	       may_be_supervisor(pid);
}

static enum status write_pid(int fd, const char *path, struct error *error)
{
	char content[CONTENT_SIZE];
	int length = snprintf(content, sizeof(content), "%d", (int)getpid());

	if (ftruncate(fd, 0) < 0 || pwrite(fd, content, (size_t)length, 0) != length)
		return error_set(error, STATUS_INVALID, "pidfile %s: cannot write: %s", path,
				 process_reason(errno));
	return STATUS_OK;
}

/* Opens and locks the file at the path; -1 with errno. Closing it releases the lock. */
static int open_locked(const char *path, int flags)
{
	for (;;) {
		int fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0644);
		if (fd < 0)
			return -1;
		int locked;
		do {
			locked = flock(fd, LOCK_EX);
		} while (locked < 0 && errno == EINTR);
		if (locked == 0 && same_file(fd, path))
			return fd;
		int saved = errno;
		close(fd);
		errno = saved;
		if (locked < 0)
			return -1;
	}
}

enum status pidfile_claim(const char *path, struct error *error)
{
	enum status status = make_parents(path, error);

	if (status != STATUS_OK)
		return status;
	int fd = open_locked(path, O_CREAT);
	if (fd < 0)
		return error_set(error, STATUS_INVALID, "pidfile %s: %s", path,
				 process_reason(errno));
	if (names_living_supervisor(fd))
		status = error_set(error, STATUS_CONFLICT,
				   "A dray supervisor is already running. Check %s", path);
	else
		status = write_pid(fd, path, error);
	close(fd);
	return status;
}

enum status pidfile_read(const char *path, pid_t *pid, struct error *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return error_set(error, STATUS_INVALID, "pidfile %s: %s", path,
				 process_reason(errno));
	*pid = read_pid(fd);
	close(fd);
	if (*pid > 0)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID, "pidfile %s: it contains no process number", path);
}

void pidfile_release(const char *path)
{
	int fd = open_locked(path, 0);

	if (fd < 0)
		return;
	if (read_pid(fd) == getpid())
		unlink(path);
	close(fd);
}
