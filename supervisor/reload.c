#include "supervisor/reload.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "common/process.h"
#include "process/control.h"
#include "supervisor/state.h"
#include "worker/handler.h"

#define CHECK_SECONDS 30 /* a configuration whose modules take longer to load is refused */
#define PATIENCE      (5 * CLOCK_SECOND)
#define ANSWER        (2 * CLOCK_SECOND) /* who takes it over does so within moments */
#define MAX_LEAVING   5 /* earlier configurations whose workers still end their jobs */

static void conclude(struct supervisor *supervisor, bool worked)
{
	struct reload *reload = &supervisor->reload;

	reload->handing = false;
	reload->count++;
	reload->worked = worked;
	if (!worked)
		log_event(LOG_ERROR, "reload.refused", LOG_TEXT("reason", reload->outcome),
			  LOG_TEXT("then", "the configuration stays as it was"));
	supervisor_describe(supervisor);
	service_reloaded(&supervisor->service);
}

static void tell(void *context, const struct config_class *class, const char *text)
{
	const bool *fatal = context;

	(void)class;
	log_event(*fatal ? LOG_ERROR : LOG_WARN, *fatal ? "reload.mistake" : "reload.warning",
		  LOG_TEXT("text", text));
}

static enum status check_handlers(const struct config *config, struct error *error)
{
	const struct handlers *handlers;
	enum status status = handlers_open(config->arena, config, NULL, &handlers, error);
	bool fatal = status != STATUS_OK;

	(void)handler_check(config, tell, &fatal);
	return status;
}

static enum status check_database(const struct config *config, struct error *error)
{
	struct membership member;

	membership_init(&member, config, "", "");
	member.patience = PATIENCE;
	enum status status = membership_connect(&member, error);
	if (status != STATUS_OK)
		log_event(LOG_ERROR, "reload.mistake", LOG_TEXT("text", error->text));
	membership_clear(&member);
	return status;
}

/* Never returns. Mistakes are logged, and the first is sent to the supervisor. */
static void check(const struct supervisor *supervisor, int report)
{
	const struct reload *reload = &supervisor->reload;
	struct error error = { 0 };

	loop_free(supervisor->loop);
	control_free(supervisor->children.control); /* modules could write to it */
	if (report > STDERR_FILENO + 1)
		(void)close_range(STDERR_FILENO + 1, (unsigned)report - 1, 0);
	(void)close_range((unsigned)report + 1, ~0U, 0);
	loop_signals_reset();
	(void)alarm(CHECK_SECONDS);
	enum status status = check_handlers(reload->next, &error);
	if (status == STATUS_OK && (reload->diff.parts & PART_DATABASE) != 0)
		status = check_database(reload->next, &error);
	if (status != STATUS_OK && write(report, error.text, strlen(error.text)) < 0)
		_exit(EXIT_ERROR);
	_exit(status == STATUS_OK ? EXIT_STOPPED : EXIT_USAGE);
}

static enum status fork_checker(struct supervisor *supervisor, struct error *error)
{
	struct reload *reload = &supervisor->reload;
	int fds[2];

	if (process_pipe(fds, true, error) != STATUS_OK)
		return error->status;
	maintenance_disconnect(&supervisor->maintenance);
	(void)fflush(NULL);
	reload->checker = fork();
	if (reload->checker == 0)
		check(supervisor, fds[1]);
	int code = errno;
	(void)close(fds[1]);
	reload->report = fds[0];
	if (reload->checker > 0)
		return STATUS_OK;
	reload->checker = 0;
	(void)close(fds[0]);
	return error_set(error, STATUS_FATAL, "cannot start a process to check it: %s",
			 strerrordesc_np(code));
}

static void drop_next(struct reload *reload)
{
	config_free(reload->next);
	reload->next = NULL;
}

/* Each of them keeps its processes, memory and connections until its jobs have ended. */
static bool too_many_leaving(struct supervisor *supervisor)
{
	struct reload *reload = &supervisor->reload;
	struct children *children = &supervisor->children;

	if (children_generations(children) < MAX_LEAVING ||
	    !children_would_leave(children, reload->next, reload->diff.parts))
		return false;
	struct arena *arena = arena_new();
	const char **names = arena_array(arena, children->count + 1, sizeof(*names));
	size_t count = children_leaving(children, names);
	(void)snprintf(reload->outcome, sizeof(reload->outcome),
		       "the workers of %d earlier configurations still end their jobs (%s): reload "
		       "again later, or cancel these jobs",
		       MAX_LEAVING,
		       maintenance_jobs(&supervisor->maintenance, arena, names, count));
	arena_free(arena);
	return true;
}

static void say_adopting(struct reload *reload)
{
	const size_t length = strlen(reload->outcome);
	const size_t takers = reload->adopting - reload->unanswered;
	const int added = snprintf(reload->outcome + length, sizeof(reload->outcome) - length,
				   ", %zu %s it over", takers, takers == 1 ? "takes" : "take");

	if (reload->unanswered > 0)
		(void)snprintf(reload->outcome + length + added,
			       sizeof(reload->outcome) - length - (size_t)added,
			       ", %zu %s not answered yet", reload->unanswered,
			       reload->unanswered == 1 ? "has" : "have");
}

static void count_unanswered(struct supervisor *supervisor)
{
	struct reload *reload = &supervisor->reload;
	const size_t unanswered = children_unanswered(&supervisor->children);

	reload->unanswered = unanswered < reload->adopting ? unanswered : reload->adopting;
}

/* It is in force, also where some have not answered. */
static void end_handing(struct supervisor *supervisor)
{
	if (supervisor->reload.adopting > 0)
		say_adopting(&supervisor->reload);
	conclude(supervisor, true);
}

static void begin(struct supervisor *supervisor)
{
	struct reload *reload = &supervisor->reload;
	struct error error = { 0 };

	if (reload->handing) { /* the one before has its own outcome, whatever becomes of this one
				*/
		count_unanswered(supervisor);
		end_handing(supervisor);
	}
	log_event(LOG_INFO, "reload.begun", LOG_END);
	reload->adopting = reload->unanswered = 0;
	reload->answer_by = 0;
	service_reloading(&supervisor->service);
	if (!reload->source)
		(void)snprintf(reload->outcome, sizeof(reload->outcome),
			       "there is no file to load it from");
	else
		reload->next = source_load(reload->source, supervisor->config, true, &reload->diff,
					   reload->outcome);
	if (reload->next && !too_many_leaving(supervisor)) {
		if (fork_checker(supervisor, &error) == STATUS_OK)
			return;
		(void)snprintf(reload->outcome, sizeof(reload->outcome), "%s", error.text);
	}
	drop_next(reload);
	conclude(supervisor, false);
}

static void apply_log(struct supervisor *supervisor, const struct config *config)
{
	const struct log_options log = { .level = config->log.level,
					 .format = config->log.format,
					 .fd = STDERR_FILENO };

	log_configure(&log);
	children_set_log(&supervisor->children, config->log.level, config->log.format);
}

/* From here on nothing can fail: every process has the new configuration, or will get it. */
static void apply(struct supervisor *supervisor)
{
	struct reload *reload = &supervisor->reload;
	struct config *before = reload->own;
	unsigned parts = reload->diff.parts;
	size_t changes = reload->diff.count;

	supervisor->config = reload->own = reload->next;
	reload->next = NULL;
	if (parts & PART_LOG)
		apply_log(supervisor, supervisor->config);
	maintenance_adopt(&supervisor->maintenance, supervisor->config,
			  (parts & PART_DATABASE) != 0);
	struct children_changes done =
		children_adopt(&supervisor->children, supervisor->config, parts);
	config_free(before);
	(void)snprintf(reload->outcome, sizeof(reload->outcome),
		       "%zu %s changed, %zu %s to be replaced, %zu added, %zu removed", changes,
		       changes == 1 ? "setting" : "settings", done.renewed,
		       done.renewed == 1 ? "process" : "processes", done.added, done.removed);
	log_event(LOG_INFO, "reload.done", LOG_INT("changes", changes),
		  LOG_INT("replaced", done.renewed), LOG_INT("taken_over", done.adopting),
		  LOG_INT("added", done.added), LOG_INT("removed", done.removed));
	reload->adopting = done.adopting;
	reload->handing = true;
}

/* It is handed over. One that stands still, or waits for the database, may take it over later. */
static void await_answers(struct supervisor *supervisor)
{
	struct reload *reload = &supervisor->reload;
	const int64_t now = clock_monotonic();

	if (reload->answer_by == 0)
		reload->answer_by = now + ANSWER;
	count_unanswered(supervisor);
	if (reload->unanswered == 0 || now >= reload->answer_by)
		end_handing(supervisor);
}

static void read_report(struct reload *reload, int status)
{
	ssize_t length = read(reload->report, reload->outcome, sizeof(reload->outcome) - 1);

	reload->outcome[length > 0 ? length : 0] = '\0';
	if (length > 0)
		return;
	if (WIFSIGNALED(status))
		(void)snprintf(reload->outcome, sizeof(reload->outcome),
			       "loading the modules of jobs.yml ended with signal SIG%s",
			       sigabbrev_np(WTERMSIG(status)));
	else
		(void)snprintf(reload->outcome, sizeof(reload->outcome),
			       "loading the modules of jobs.yml ended with status %d",
			       WEXITSTATUS(status));
}

static void checked(struct supervisor *supervisor, int status)
{
	struct reload *reload = &supervisor->reload;
	bool good = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_STOPPED;

	reload->checker = 0;
	if (!good)
		read_report(reload, status);
	(void)close(reload->report);
	if (good) {
		apply(supervisor);
		return;
	}
	drop_next(reload);
	conclude(supervisor, false);
}

void reload_step(struct supervisor *supervisor)
{
	struct reload *reload = &supervisor->reload;
	int status;

	if (reload->checker > 0 && waitpid(reload->checker, &status, WNOHANG) == reload->checker)
		checked(supervisor, status);
	if (reload->handing && !supervisor->children.handing)
		await_answers(supervisor);
	if (!reload->asked || reload->checker > 0)
		return;
	reload->asked = false;
	begin(supervisor);
}

int64_t reload_due(const struct reload *reload)
{
	return reload->handing && reload->answer_by > 0 ? reload->answer_by : CLOCK_NEVER;
}

void reload_end(struct reload *reload)
{
	if (reload->checker > 0) {
		(void)kill(reload->checker, SIGKILL);
		(void)waitpid(reload->checker, NULL, 0);
		(void)close(reload->report);
		reload->checker = 0;
	}
	drop_next(reload);
	config_free(reload->own);
	reload->own = NULL;
}
