#include <string.h>

#include "cli/deploy/deploy.h"
#include "cli/output/cells.h"
#include "cli/output/table.h"
#include "policy/policy.h"
#include "show/findings.h"
#include "supervisor/roles.h"

/* What monitoring plug-ins exit with. */
enum health { HEALTH_WELL, HEALTH_DEGRADED, HEALTH_DEAD, HEALTH_UNKNOWN };

static const char *const names[] = {
	[HEALTH_WELL] = "WELL",
	[HEALTH_DEGRADED] = "DEGRADED",
	[HEALTH_DEAD] = "DEAD",
	[HEALTH_UNKNOWN] = "UNKNOWN",
};

struct visit {
	const struct role *needed[ROLES_MOST + 1];
	size_t count;
	const char *queue;
};

enum key { KEY_NEED = 1, KEY_QUEUE };

static const struct argp_option options[] = {
	{ "need", KEY_NEED, "ROLE", 0,
	  "dead without a process of this role: worker, dispatcher, scheduler; may be repeated",
	  0 },
	{ "queue", KEY_QUEUE, "QUEUE", 0,
	  "dead without a worker of this queue; nothing is said of other queues", 0 },
	{ 0 },
};

static void need(struct visit *visit, const char *word, const struct argp_state *state)
{
	const struct role *const *role = all_roles;

	while (*role && strcmp((*role)->word, word) != 0)
		role++;
	if (!*role)
		argument_error(state, "--need: there is no role '%s'", word);
	for (size_t i = 0; i < visit->count; i++)
		if (visit->needed[i] == *role)
			return;
	visit->needed[visit->count++] = *role;
}

static error_t health_parse(int key, const char *value, struct argp_state *state)
{
	struct visit *visit = state->input;

	if (key == KEY_NEED)
		need(visit, value, state);
	else if (key == KEY_QUEUE)
		visit->queue = value;
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static enum health judge(const struct findings *findings)
{
	if (findings_are_dead(findings))
		return HEALTH_DEAD;
	return findings->count > 0 ? HEALTH_DEGRADED : HEALTH_WELL;
}

/* The first line is the one that a monitor shows. */
static void print_text(const struct cli *cli, enum health health, const struct findings *findings)
{
	const char *separator = ": ";

	(void)printf("%s", names[health]);
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->list[i];
		(void)printf("%s%s%s%s", separator, finding->name, finding->subject ? " " : "",
			     finding->subject ? cell_clean(cli->arena, finding->subject) : "");
		separator = ", ";
	}
	(void)printf("\n");
	for (size_t i = 0; i < findings->count; i++)
		(void)printf("%s %s\n", cell_clean(cli->arena, findings->list[i].text),
			     cell_clean(cli->arena, findings->list[i].advice));
}

static int conclude(const struct cli *cli, enum health health, const struct findings *findings)
{
	if (cli->json)
		json_print(cli, json_pack("{s:s, s:o}", "health", names[health], "findings",
					  show_findings(findings)));
	else
		print_text(cli, health, findings);
	return (int)health;
}

static int health_run(struct cli *cli, void *input)
{
	const struct visit *visit = input;
	struct findings findings = { 0 };
	struct error error = { 0 };

	if (cli_connect(cli) != EXIT_STOPPED) /* which has said why */
		return conclude(cli, HEALTH_UNKNOWN, &findings);
	const struct findings_request request = {
		.config = cli->config,
		.patience = policy_silence(cli->config, 0),
		.roles = all_roles,
		.needed = visit->needed,
		.queue = visit->queue,
	};
	if (findings_read(cli->db, cli->arena, &request, &findings, &error) != STATUS_OK) {
		(void)cli_fail(&error);
		findings.count = 0;
		return conclude(cli, HEALTH_UNKNOWN, &findings);
	}
	return conclude(cli, judge(&findings), &findings);
}

static const struct argp argp = {
	.options = options,
	.doc = "Say whether everything works, as monitoring plug-ins do. The first line sums up, "
	       "and "
	       "each further one is a finding: what should happen and does not, and what to do "
	       "about it. `dray doctor` shows the same, and what is wrong in the tables besides. "
	       "It looks at processes and at the first ready jobs of each queue, so it costs no "
	       "more when millions wait. The exit status is 0 when all is well; 1 when something "
	       "is degraded; 2 when nothing runs, or what --need or --queue asks for is missing; "
	       "and 3 when that cannot be known: the database does not answer, or the command line "
	       "or the files have a mistake."
	       "\vExamples:\n"
	       "  dray health\n"
	       "  dray health --need worker --need scheduler\n"
	       "  dray health --queue mail\n"
	       "  dray health --json",
};

const struct command health_command = {
	.name = "health",
	.summary = "say whether everything works, for a monitor",
	.argp = &argp,
	.parse = health_parse,
	.output =
		"an object with `health` (WELL, DEGRADED, DEAD, UNKNOWN) and `findings`, an array "
		"of what stands: `name` (for programs), `subject` (the queue, class or process; "
		"null = the whole deployment), `queue` (whose jobs wait; null = not of one), "
		"`since`, `dead` (boolean), `text`, `advice`.",
	.input_size = sizeof(struct visit),
	.needs = NEED_DATABASE,
	.unknown = HEALTH_UNKNOWN,
	.run = health_run,
};
