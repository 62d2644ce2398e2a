/*
 * Jobs that are functions of a shared object: loading it, what a function sees of its job, and its
 * run on a thread of the pool. In a job host (host/main.c) the first two are the same.
 */
#include "worker/module/module.h"

#include <dlfcn.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "common/text/text.h"
#include "include/dray.h"
#include "queue/payload/wide_json.h"
#include "worker/report.h"
#include "worker/state.h"

/* loading */

#define NAMES_SHOWN 400

static enum status check_module(const struct dray_module *module, const char *path,
				struct error *error)
{
	if (module->abi != DRAY_ABI)
		return error_set(error, STATUS_INVALID,
				 "%s: built for module interface %u, this dray has %d: rebuild it "
				 "with this version's dray.h",
				 path, module->abi, DRAY_ABI);
	if (module->size < sizeof(*module))
		return error_set(error, STATUS_INVALID,
				 "%s: its dray_module has %u bytes, expected at least %zu", path,
				 module->size, sizeof(*module));
	if (!module->name || !module->functions)
		return error_set(error, STATUS_INVALID,
				 "%s: its dray_module has no name or no functions", path);
	return STATUS_OK;
}

/* dlerror keeps its text per thread. */
static const char *load_error(void)
{
	const char *text = dlerror(); /* NOLINT(concurrency-mt-unsafe) */

	return text ? text : "unknown error";
}

enum status module_open(const char *path, const struct dray_module **module, struct error *error)
{
	const struct dray_module *found;
	enum status status;
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return error_set(error, STATUS_INVALID, "cannot load module %s: %s", path,
				 load_error());
	found = dlsym(handle, "dray_module");
	if (!found) {
		(void)dlclose(handle);
		return error_set(error, STATUS_INVALID,
				 "%s: not a dray module (it exports no symbol dray_module; see "
				 "DRAY_MODULE in dray.h)",
				 path);
	}
	status = check_module(found, path, error);
	if (status != STATUS_OK) {
		(void)dlclose(handle);
		return status;
	}
	*module = found;
	return STATUS_OK;
}

static enum status not_found(const struct dray_module *module, const char *class_name,
			     struct error *error)
{
	struct text names = { .maximum = NAMES_SHOWN };

	for (const struct dray_function *f = module->functions; f->class_name; f++)
		text_printf(&names, "%s%s", f == module->functions ? "" : ", ", f->class_name);
	(void)error_set(error, STATUS_INVALID,
			"module \"%s\" has no function for class %s (it has: %s%s)", module->name,
			class_name, text_string(&names), names.truncated ? "..." : "");
	text_free(&names);
	return STATUS_INVALID;
}

enum status module_find(const struct dray_module *module, const char *class_name,
			const struct dray_function **function, struct error *error)
{
	for (const struct dray_function *f = module->functions; f->class_name; f++)
		if (strcmp(f->class_name, class_name) == 0 && f->run) {
			*function = f;
			return STATUS_OK;
		}
	return not_found(module, class_name, error);
}

/* the job as its function sees it */

static const struct job_handle *const_handle_of(const struct dray_job *job)
{
	return (const struct job_handle *)job;
}

static struct job_handle *handle_of(struct dray_job *job)
{
	return (struct job_handle *)job;
}

static const struct job *job_of(const struct dray_job *job)
{
	return const_handle_of(job)->what;
}

/* facts */

static int64_t api_id(const struct dray_job *job)
{
	return job_of(job)->id;
}

static int64_t api_claim(const struct dray_job *job)
{
	return const_handle_of(job)->claim.id;
}

static const char *api_claim_token(struct dray_job *job)
{
	const struct job_handle *handle = handle_of(job);
	char token[CLAIM_TOKEN_SIZE];

	claim_token(&handle->claim, token);
	return arena_strdup(handle->arena, token);
}

static const char *api_active_job_id(const struct dray_job *job)
{
	const char *id = job_of(job)->active_job_id;

	return id ? id : "";
}

static const char *api_class_name(const struct dray_job *job)
{
	return job_of(job)->class_name;
}

static const char *api_queue(const struct dray_job *job)
{
	return job_of(job)->queue;
}

static int api_priority(const struct dray_job *job)
{
	return job_of(job)->priority;
}

static bool api_stopping(const struct dray_job *job)
{
	const struct job_handle *handle = const_handle_of(job);

	return handle->place->stopping(handle);
}

static bool api_cancelled(const struct dray_job *job)
{
	const struct job_handle *handle = const_handle_of(job);

	return handle->place->cancelled && handle->place->cancelled(handle);
}

/* arguments */

static int api_attempt(struct dray_job *job)
{
	struct job_handle *handle = handle_of(job);

	int64_t attempt = job_attempt(handle->what, handle->payload.executions);

	return attempt < INT_MAX ? (int)attempt : INT_MAX;
}

static int api_losses(const struct dray_job *job)
{
	int64_t losses = job_of(job)->losses;

	return losses < INT_MAX ? (int)losses : INT_MAX;
}

static const struct json_t *api_arguments_json(struct dray_job *job)
{
	return const_handle_of(job)->payload.arguments;
}

static const char *api_arguments(struct dray_job *job)
{
	struct job_handle *handle = handle_of(job);

	return wide_json_text(handle->arena, handle->payload.arguments);
}

static const char *api_text(struct dray_job *job, const char *name)
{
	struct job_handle *handle = handle_of(job);

	return payload_text(handle->arena, &handle->payload, name);
}

static const json_t *find(const struct dray_job *job, const char *name)
{
	return payload_argument(&const_handle_of(job)->payload, name);
}

static bool api_integer(struct dray_job *job, const char *name, int64_t *value)
{
	const json_t *found = find(job, name);

	if (!json_is_integer(found))
		return false;
	*value = json_integer_value(found);
	return true;
}

static bool api_real(struct dray_job *job, const char *name, double *value)
{
	const json_t *found = find(job, name);

	const char *large = wide_json_number(found);

	if (!json_is_number(found) && !large)
		return false;
	*value = large ? strtod(large, NULL) : json_number_value(found);
	return true;
}

static bool api_boolean(struct dray_job *job, const char *name, bool *value)
{
	const json_t *found = find(job, name);

	if (!json_is_boolean(found))
		return false;
	*value = json_is_true(found);
	return true;
}

/* what a job says */

static PRINTF_LIKE(2, 0) void api_log(struct dray_job *job, const char *format, va_list args)
{
	struct job_handle *handle = handle_of(job);

	if (handle->place->log_wanted(handle))
		handle->place->log(handle, arena_vprintf(handle->arena, format, args));
}

/* The last call counts. */
static PRINTF_LIKE(3, 0) void api_set_failure(struct dray_job *job, const char *exception_class,
					      const char *format, va_list args)
{
	struct job_handle *handle = handle_of(job);
	struct arena *arena = handle->arena;

	handle->failure_class =
		arena_strdup(arena, exception_class ? exception_class : "Dray::JobError");
	handle->failure = arena_vprintf(arena, format, args);
	handle->said = NULL;
	handle->given_back = false;
}

static int64_t wait_of(double seconds)
{
	const double most = (double)CONFIG_WAIT_MOST;
	const double wait = seconds * (double)CLOCK_SECOND;

	return wait > 0 ? (int64_t)(wait < most ? wait : most) : 0; /* NaN is 0 */
}

static PRINTF_LIKE(5, 0) void api_set_end(struct dray_job *job, enum dray_end end, double seconds,
					  const char *exception_class, const char *format,
					  va_list args)
{
	static const enum config_says says[] = {
		[DRAY_DISCARD] = SAYS_DISCARD,
		[DRAY_SNOOZE] = SAYS_SNOOZE,
		[DRAY_RETRY] = SAYS_RETRY,
	};
	struct job_handle *handle = handle_of(job);

	api_set_failure(job, exception_class, format, args);
	if (end < DRAY_DISCARD || end > DRAY_RETRY)
		return; /* of a header to come: it fails */
	struct config_end *said = arena_alloc(handle->arena, sizeof(*said));
	*said = (struct config_end){ .what = says[end], .wait = wait_of(seconds) };
	handle->said = said;
}

/* A job that was not asked to stop would be claimed again at once, and again. */
static enum dray_result api_give_back(struct dray_job *job)
{
	struct job_handle *handle = handle_of(job);

	handle->given_back = handle->place->stopping(handle);
	if (handle->given_back)
		return DRAY_FAILED;
	handle->said = NULL;
	handle->failure_class = "Dray::JobError";
	handle->failure =
		arena_printf(handle->arena, "%s gave its job back without being asked to stop",
			     handle->what->class_name);
	return DRAY_FAILED;
}

static const struct dray_api api = {
	.abi = DRAY_ABI,
	.size = sizeof(struct dray_api),
	.id = api_id,
	.active_job_id = api_active_job_id,
	.class_name = api_class_name,
	.queue = api_queue,
	.priority = api_priority,
	.attempt = api_attempt,
	.arguments = api_arguments,
	.arguments_json = api_arguments_json,
	.text = api_text,
	.integer = api_integer,
	.real = api_real,
	.boolean = api_boolean,
	.stopping = api_stopping,
	.log = api_log,
	.set_failure = api_set_failure,
	.claim = api_claim,
	.give_back = api_give_back,
	.claim_token = api_claim_token,
	.losses = api_losses,
	.set_end = api_set_end,
	.cancelled = api_cancelled,
};

/* What the function's result means together with its calls. */
static enum job_end result_of(struct job_handle *handle, enum dray_result result)
{
	const char *class = handle->what->class_name;

	if (handle->given_back)
		return JOB_GIVEN_BACK;
	if (result == DRAY_OK && !handle->failure)
		return JOB_DONE;
	if (handle->failure_class)
		return JOB_NOT_DONE;
	handle->failure_class = "Dray::JobError";
	if (result == DRAY_FAILED)
		handle->failure =
			arena_printf(handle->arena, "%s failed without saying why", class);
	else
		handle->failure = arena_printf(handle->arena,
					       "%s returned %d, expected DRAY_OK or DRAY_FAILED",
					       class, (int)result);
	return JOB_NOT_DONE;
}

enum job_end job_handle_run(struct job_handle *handle, const struct dray_function *function,
			    const struct job_place *place, void *context, const struct claim *claim,
			    struct arena *arena)
{
	enum job_end end;
	struct error error;

	*handle = (struct job_handle){
		.job.api = &api,
		.place = place,
		.context = context,
		.what = &claim->job,
		.claim = claim_name(claim),
		.arena = arena,
	};
	if (payload_read(claim->job.payload, &handle->payload, &error) != STATUS_OK) {
		handle->failure_class = "Dray::PayloadError";
		handle->failure = arena_printf(arena, "job %lld (%s): %s", (long long)claim->job.id,
					       claim->job.class_name, error.text);
		return JOB_NOT_DONE;
	}
	end = result_of(handle, function->run(&handle->job));
	payload_clear(&handle->payload);
	return end;
}

/* on a thread */

void module_runs_prepare(void)
{
	/* jansson's own seeding is not safe with many threads at once. */
	json_object_seed(0);
}

static bool is_stopping(const struct job_handle *handle)
{
	const struct run *run = handle->context;

	return atomic_load(&run->told) || atomic_load(&run->worker->stopping);
}

static bool is_cancelled(const struct job_handle *handle)
{
	const struct run *run = handle->context;

	return atomic_load(&run->cancelling);
}

static bool log_wanted(const struct job_handle *handle)
{
	(void)handle;
	return log_enabled(LOG_INFO);
}

static void log_text(const struct job_handle *handle, const char *text)
{
	report_said(handle->what, text);
}

static const struct job_place thread = {
	.stopping = is_stopping,
	.cancelled = is_cancelled,
	.log_wanted = log_wanted,
	.log = log_text,
};

void module_run(struct pool_task *task)
{
	struct run *run = run_of_task(task);
	struct job_handle handle;

	if (atomic_load(&run->told)) { /* before it started */
		run->in_time = true;
		run_release(run);
		return;
	}
	const enum job_end end = job_handle_run(&handle, run->handler->function, &thread, run,
						&run->claim, run->arena);
	run->in_time = !atomic_load(&run->told);
	run->escaped = !atomic_load(&run->cancelling);
	switch (end) {
	case JOB_DONE:
		run_succeed(run);
		break;
	case JOB_NOT_DONE:
		run->said = handle.said;
		run_fail(run, handle.failure_class, handle.failure, NULL);
		break;
	case JOB_GIVEN_BACK:
		run_interrupt(run, JOB_GAVE_BACK);
		break;
	}
}
