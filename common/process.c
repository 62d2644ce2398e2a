#include "common/process.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/arena.h"
#include "common/invariant.h"
#include "common/text/parse.h"
#include "common/text/text.h"

/*
 * The memory of argv's strings and, right behind them, the environment's: ps reads the title there.
 */
static struct {
	char *start, *end;
	char **argv; /* the original arguments, independent of main's argv */
	char *copy;  /* of the strings, used by argv and environ after process_init */
} area;

/* This variable stays where the kernel shows it to others (/proc/PID/environ). */
static const char kept[] = "DRAY_CLAIM=";

/* Moves the end of the area past each string that follows it without a gap. */
static void extend_area(char *const strings[])
{
	for (size_t i = 0; strings[i] && strncmp(strings[i], kept, sizeof(kept) - 1) != 0; i++)
		if (strings[i] == area.end)
			area.end = strings[i] + strlen(strings[i]) + 1;
}

static char *moved(char *string)
{
	return string >= area.start && string < area.end ? area.copy + (string - area.start)
							 : string;
}

static void move_strings(char *strings[])
{
	for (size_t i = 0; strings[i]; i++)
		strings[i] = moved(strings[i]);
}

static char **copy_list(char *const list[], size_t count)
{
	char **copy = calloc(count + 1, sizeof(*copy));

	if (!copy)
		out_of_memory();
	memcpy(copy, list, count * sizeof(*copy));
	return copy;
}

/* How many bytes two texts have in common at their beginnings, and at their ends. */
static size_t same_ahead(const char *a, const char *b)
{
	size_t same = 0;

	while (a[same] && a[same] == b[same])
		same++;
	return same;
}

static size_t same_behind(const char *a, const char *b)
{
	const char *a_end = a + strlen(a);
	const char *b_end = b + strlen(b);
	size_t same = 0;

	while (a_end > a && b_end > b && a_end[-1] == b_end[-1]) {
		a_end--;
		b_end--;
		same++;
	}
	return same;
}

/*
 * Overwrites, where ps reads it, the secret part of a URL in an argument "URL" or "--option=URL".
 * The length stays the same: the arguments behind it are not moved.
 */
static void hide_secret(char *argument)
{
	char *url = strncmp(argument, "--", 2) == 0 ? strchr(argument, '=') : argument;
	size_t length = url ? strlen(url) : 0;
	size_t size = 4 * length + 64; /* the mask may be longer than the text it hides */

	if (!url || !strstr(url, ":"))
		return;
	url += url != argument;
	length = strlen(url);
	char *masked = malloc(size);
	if (!masked)
		out_of_memory();
	url_mask(url, masked, size);
	size_t before = same_ahead(url, masked);
	size_t behind = same_behind(url + before, masked + before);
	memset(url + before, '*', length - before - behind);
	free(masked);
}

/* The arguments begin there, one behind the other, and have been copied. */
static void hide_secrets(int argc)
{
	char *at = area.start;

	for (int i = 0; i < argc && at < area.end; i++) {
		hide_secret(at);
		at += strlen(at) + 1;
	}
}

void process_init(int argc, char **argv)
{
	if (area.start || argc < 1)
		return;
	area.start = argv[0];
	area.end = argv[0];
	extend_area(argv);
	if (environ)
		extend_area(environ);
	size_t size = (size_t)(area.end - area.start);
	area.copy = malloc(size > 0 ? size : 1);
	if (!area.copy)
		out_of_memory();
	memcpy(area.copy, area.start, size);
	move_strings(argv);
	area.argv = copy_list(argv, (size_t)argc);
	hide_secrets(argc);
	if (environ)
		move_strings(environ);
	program_invocation_name = moved(program_invocation_name);
	program_invocation_short_name = moved(program_invocation_short_name);
}

static char restarted[] = "dray: restarted"; /* instead of the program's name */

/* /proc/self/exe is the running program, even if another file is at its path by now. */
void process_restart(void)
{
	area.argv[0] = restarted;
	(void)execv("/proc/self/exe", area.argv);
}

bool process_restarted(void)
{
	return area.argv && strcmp(area.argv[0], restarted) == 0;
}

/* By its name, which the supervisor knows after process_restart, too. */
bool process_contained(void)
{
	char name[8] = "";
	int fd = open("/proc/1/comm", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	ssize_t length = read(fd, name, sizeof(name));
	(void)close(fd);
	return length >= 5 && memcmp(name, "dray:", 5) == 0;
}

void process_title(const char *title)
{
	(void)prctl(PR_SET_NAME, title, 0, 0, 0);
	if (!area.start)
		return;
	size_t size = (size_t)(area.end - area.start);
	size_t length = strnlen(title, size - 1);
	memcpy(area.start, title, length);
	memset(area.start + length, 0, size - length);
}

static void replace_invalid(char *text)
{
	size_t length = strlen(text);

	for (size_t at = 0; at < length;) {
		size_t step = utf8_sequence(text + at, length - at);
		if (step == 0)
			text[at] = '?';
		at += step > 0 ? step : 1;
	}
}

bool process_comm(pid_t pid, char comm[PROCESS_COMM])
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return false;
	bool read = fgets(comm, PROCESS_COMM, file) != NULL;
	(void)fclose(file);
	return read;
}

bool process_has_title(pid_t pid, const char *title)
{
	char comm[PROCESS_COMM];

	return process_comm(pid, comm) && strncmp(comm, title, strlen(title)) == 0;
}

void process_hostname(char name[HOSTNAME_SIZE])
{
	if (gethostname(name, HOSTNAME_SIZE) != 0 || name[0] == '\0')
		(void)snprintf(name, HOSTNAME_SIZE, "localhost");
	name[HOSTNAME_SIZE - 1] = '\0';
	replace_invalid(name);
}

/* A user as the system's list has it; some have only a number. */
struct user {
	struct passwd entry;
	struct passwd *found; /* NULL = not in the list */
	char name[USERNAME_SIZE];
	char buffer[16384]; /* the entry's texts */
};

static char caller[USERNAME_SIZE]; /* who ran this process before it became another user; or "" */
static char owner[USERNAME_SIZE];  /* as whom it runs since then */

/* 0, or why the list could not be read; the name is the number then. */
static int find_user(struct user *user, uid_t uid)
{
	int failure =
		getpwuid_r(uid, &user->entry, user->buffer, sizeof(user->buffer), &user->found);

	(void)snprintf(user->name, sizeof(user->name), "%u", uid);
	if (user->found)
		(void)snprintf(user->name, sizeof(user->name), "%s", user->entry.pw_name);
	return user->found ? 0 : failure;
}

void process_user(char name[USERNAME_SIZE])
{
	const char *said = getuid() == 0 ? getenv("SUDO_USER") : caller;
	struct user user;

	if (!said || !*said) {
		(void)find_user(&user, getuid());
		said = user.name;
	}
	(void)snprintf(name, USERNAME_SIZE, "%s", said);
	replace_invalid(name);
}

/* 0, or why not. All ids are changed, so that there is no way back. */
static int become(const struct user *user, const struct stat *folder)
{
	const gid_t group = user->found ? user->entry.pw_gid : folder->st_gid;
	const int groups =
		user->found ? initgroups(user->entry.pw_name, group) : setgroups(0, NULL);

	if (groups != 0 || setgid(group) != 0 || setuid(folder->st_uid) != 0)
		return errno;
	return setuid(0) == 0 ? EPERM : 0;
}

/* No other thread runs yet. NOLINTBEGIN(concurrency-mt-unsafe) */
static void say_user(const struct user *user)
{
	if (setenv("HOME", user->found ? user->entry.pw_dir : "/", 1) != 0 ||
	    setenv("USER", user->name, 1) != 0 || setenv("LOGNAME", user->name, 1) != 0)
		out_of_memory();
}
/* NOLINTEND(concurrency-mt-unsafe) */

enum status process_become_owner(const char *folder, bool running, struct error *error)
{
	struct stat status;
	struct user user;
	char before[USERNAME_SIZE];

	if (geteuid() != 0)
		return STATUS_OK;
	if (stat(folder, &status) != 0)
		return errno == ENOENT ? STATUS_OK
				       : error_set(error, STATUS_INVALID, "%s: %s", folder,
						   strerrordesc_np(errno));
	if (status.st_uid == 0)
		return STATUS_OK;
	int failure = find_user(&user, status.st_uid);
	process_user(before);
	if (running)
		return error_set(
			error, STATUS_INVALID,
			"%s belongs to the user %s, but this process runs as root: start it again",
			folder, user.name);
	if (failure == 0)
		failure = become(&user, &status);
	if (failure != 0)
		return error_set(error, STATUS_INVALID,
				 "%s belongs to the user %s, as whom root cannot go on: %s", folder,
				 user.name, strerrordesc_np(failure));
	say_user(&user);
	memcpy(caller, before, sizeof(caller));
	memcpy(owner, user.name, sizeof(owner));
	return STATUS_OK;
}

const char *process_reason(int number)
{
	static _Thread_local char text[USERNAME_SIZE + 64];

	if (!*owner || (number != EACCES && number != EPERM))
		return strerrordesc_np(number);
	(void)snprintf(text, sizeof(text), "%s as the user %s", strerrordesc_np(number), owner);
	return text;
}

void process_how(int status, char *text, size_t size)
{
	if (!WIFSIGNALED(status)) {
		(void)snprintf(text, size, "exited with status %d", WEXITSTATUS(status));
		return;
	}
	const char *name = sigabbrev_np(WTERMSIG(status));
	(void)snprintf(text, size, "killed by signal %d (%s)%s", WTERMSIG(status),
		       name ? name : "?", WCOREDUMP(status) ? ", core dumped" : "");
}

enum status process_pipe(int fds[2], bool nonblocking, struct error *error)
{
	if (pipe2(fds, O_CLOEXEC | (nonblocking ? O_NONBLOCK : 0)) != 0)
		return error_set(error, STATUS_FATAL, "cannot make a pipe: %s",
				 strerrordesc_np(errno));
	return STATUS_OK;
}

/* What HUP means */

static bool had_terminal;
static bool hangup_ignored;

static bool has_terminal(void)
{
	int fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		(void)close(fd);
	return fd >= 0;
}

/* Notes how we were started, before HUP is handled. */
static void note_start(void)
{
	struct sigaction now;

	hangup_ignored = sigaction(SIGHUP, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
	had_terminal = has_terminal();
}

/* The kernel's own comes before the terminal is gone, when the first process of the session ends.
 */
enum hangup hangup_meaning(int code)
{
	if (code == SI_QUEUE)
		return HANGUP_RELOAD;
	if (hangup_ignored)
		return HANGUP_NOTHING;
	return had_terminal && (code == SI_KERNEL || !has_terminal()) ? HANGUP_STOP : HANGUP_RELOAD;
}

/* What a parent may have left to us */

static void open_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		/* The lowest free number is this one. Programs that we run inherit it. */
		int opened = open("/dev/null", O_RDWR);
		if (opened != fd)
			_exit(EXIT_ERROR);
	}
}

/* Its signal would end us. */
static void stop_timers(void)
{
	static const __itimer_which_t timers[] = { ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF };
	const struct itimerval none = { 0 };

	for (size_t i = 0; i < sizeof(timers) / sizeof(timers[0]); i++)
		(void)setitimer(timers[i], &none, NULL);
}

void process_settle(void)
{
	open_standard();
	note_start();
	stop_timers();
	(void)signal(SIGCHLD, SIG_DFL);
	(void)umask(umask(S_IRWXG | S_IRWXO) & (S_IRWXG | S_IRWXO));
}

/* Children that are waited for by their numbers */

#define EXPECTED_MOST 4

static pid_t expected[EXPECTED_MOST]; /* of the main thread; 0 = free */

static pid_t *find_expected(pid_t pid)
{
	for (size_t i = 0; i < EXPECTED_MOST; i++)
		if (expected[i] == pid)
			return &expected[i];
	return NULL;
}

void process_expect(pid_t pid)
{
	pid_t *place = find_expected(0);

	INVARIANT(place);
	*place = pid;
}

void process_expect_no_more(pid_t pid)
{
	pid_t *place = find_expected(pid);

	if (place)
		*place = 0;
}

bool process_is_expected(pid_t pid)
{
	return pid != 0 && find_expected(pid);
}
