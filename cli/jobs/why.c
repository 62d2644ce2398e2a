#include "queue/look/why.h"
#include "cli/classes.h"
#include "cli/jobs/job.h"
#include "cli/jobs/jobs.h"
#include "cli/output/table.h"
#include "common/process.h"
#include "policy/policy.h"

static json_t *value_of(const struct why_field *field)
{
	if (field->type == WHY_TEXT)
		return value_text(field->text);
	return field->type == WHY_TIME ? value_time(field->number) : json_integer(field->number);
}

static json_t *reason_json(const struct why_reason *reason)
{
	json_t *row = json_object();

	json_object_set_new(row, "kind", json_string(reason->kind));
	json_object_set_new(row, "text", value_text(reason->text));
	for (size_t i = 0; i < reason->field_count; i++)
		json_object_set_new(row, reason->fields[i].name, value_of(&reason->fields[i]));
	return row;
}

static json_t *why_json(const struct job *job, const struct why *why)
{
	json_t *row = json_object();
	json_t *reasons = json_array();

	for (size_t i = 0; i < why->count; i++)
		json_array_append_new(reasons, reason_json(&why->reasons[i]));
	json_object_set_new(row, "id", json_integer(job->id));
	json_object_set_new(
		row, "state",
		json_string(job->state == JOB_STATES ? "lost" : job_state_name(job->state)));
	json_object_set_new(row, "running", json_boolean(why->running));
	json_object_set_new(row, "reasons", reasons);
	json_object_set_new(row, "text", value_text(why->text));
	return row;
}

static int run(struct cli *cli, void *input)
{
	struct error error = { 0 };
	struct job_details details;
	struct job job;
	struct why why;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	const struct loss_policy policy = policy_losses(cli->config);
	const struct prune patience = policy_silence(cli->config, 0);
	struct why_facts facts = { .job = &job, .details = &details, .policy = &policy };
	bool read = job_id_find(cli, input, &job, &error) == STATUS_OK &&
		    job_details_read(cli->db, cli->arena, &job, &details, &error) == STATUS_OK &&
		    why_read(cli->db, cli->arena, &patience, &facts, &error) == STATUS_OK;
	if (!read)
		return cli_fail(&error);
	const struct config_class *class = class_declared(cli, job.class_name);
	facts.declared = class != NULL;
	facts.attempts = class && class->retry.given ? class->retry.attempts : 0;
	why_explain(cli->arena, &facts, &why);
	text_print(cli, why.text);
	json_print(cli, why_json(&job, &why));
	return EXIT_STOPPED;
}

static const struct argp argp = {
	.args_doc = "ID",
	.doc = "Explain why a job is not running, that it is running, or how it ended. A job waits "
	       "because its queue or class is paused, because no living worker serves its queue or "
	       "takes its class, because another job holds its key, because it is not due yet "
	       "(after a failure, for its retry) or no dispatcher is alive, because all threads "
	       "are busy, because its next loss would "
	       "end it and such jobs run one at a time, or because other jobs come first. All "
	       "reasons that apply are given. ID is the job's number or its Active Job id."
	       "\vExamples:\n"
	       "  dray why 42\n"
	       "  dray why 42 --json",
};

const struct command why_command = {
	.name = "why",
	.summary = "explain why a job is not running",
	.argp = &argp,
	.parse = job_id_parse,
	.input_size = sizeof(struct job_id),
	.output = "`id`, `state`, `running` (boolean), `text` (the paragraph), and `reasons`: an "
		  "array of `kind`, `text` and what belongs to the kind: `queue_paused`, "
		  "`class_paused` (`since`, `until`, `by`, `host`, `reason`), `refused` (`since`, "
		  "`until`, `reason`: what the database said), `unserved` (`queue`, "
		  "`silent`: number of workers that have sent no heartbeat for too long), "
		  "`leaving`, `quiet`, `process_paused`, `class_left` "
		  "(`workers` that serve the queue, `count` of these), `busy` (`threads`, "
		  "`workers`), `held` (`threads`, `workers`, `jobs`: of leaving workers, which "
		  "may hold the threads), "
		  "`last_chance` (`losses`, `workers`, `job`: a job on its "
		  "last chance that one of them runs), `ahead` (`jobs`, `more`: 1 if there are "
		  "more than "
		  "1,000, `seconds`: the estimate, 0 if there is none), `limited` (`key`, `job`, "
		  "`since`, `process`, `host`, `pid`), `retrying` (`attempt`, which failed, `at`, "
		  "`error`, `message`, `executions`: how many there were, `attempts`: how many "
		  "there may be, if jobs.yml says that), `scheduled`, `due` (`at`), "
		  "`no_dispatcher`, "
		  "`running`, `silent` (`since`, `process`, `host`, `pid`, `last_heartbeat_at`), "
		  "`orphaned` (`since`), `failed` (`at`, `error`, `message`), `unknown_class` "
		  "(`class`), `finished` (`at`), `next` (nothing holds it up), `nowhere`.",
	.needs = NEED_DATABASE,
	.run = run,
};
