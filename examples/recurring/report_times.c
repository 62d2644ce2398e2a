/*
 * Keeps a recurring task for each customer, who chooses when to get a report:
 *
 *     report_times DATABASE-URL set CUSTOMER SCHEDULE [ZONE]
 *     report_times DATABASE-URL rest CUSTOMER [REASON]
 *     report_times DATABASE-URL wake|now|stop CUSTOMER
 *
 * Exit status: 0 done, 1 not done, 2 wrong arguments, 3 the database is away: try again later.
 */
#include <ctype.h>
#include <err.h>
#include <stdio.h>
#include <string.h>

#include <dray.h>

#define ATTEMPTS  5
#define NAME_MOST 100 /* bytes of a customer's name */

struct wish {
	const char *customer;
	const char *key; /* of the task */
	const char *first;
	const char *second;
};

/*
 * Only the database knows whether the task exists already, because other programs add and remove
 * tasks, too. A task that an uncertain call has added is changed to the same settings.
 */
static enum dray_status set(struct dray_client *client, const struct wish *wish,
			    struct dray_error *error)
{
	char arguments[NAME_MOST + sizeof("{\"customer\": \"\"}")];
	enum dray_status status = DRAY_STATUS_NONE;
	const struct dray_recurring task =
		DRAY_RECURRING(.key = wish->key, .schedule = wish->first, .class_name = "ReportJob",
			       .arguments = arguments, .queue = "reports",
			       .time_zone = wish->second ? wish->second : "", .misfire = "once",
			       .overlap = "skip");

	/* A customer's name has no characters that JSON must escape. */
	(void)snprintf(arguments, sizeof(arguments), "{\"customer\": \"%s\"}", wish->customer);
	for (int i = 0; i < ATTEMPTS && status == DRAY_STATUS_NONE; i++) {
		status = dray_recurring_add(client, &task, error);
		if (status == DRAY_STATUS_CONFLICT)
			status = dray_recurring_change(client, &task, error);
	}
	return status;
}

static enum dray_status rest(struct dray_client *client, const struct wish *wish,
			     struct dray_error *error)
{
	return dray_recurring_pause(client, wish->key, wish->first, error);
}

static enum dray_status wake(struct dray_client *client, const struct wish *wish,
			     struct dray_error *error)
{
	return dray_recurring_resume(client, wish->key, error);
}

/* In addition to the schedule, and also while the task rests. */
static enum dray_status now(struct dray_client *client, const struct wish *wish,
			    struct dray_error *error)
{
	int64_t job = 0;
	enum dray_status status = dray_recurring_run(client, wish->key, &job, error);

	if (status == DRAY_STATUS_OK)
		printf("job %lld\n", (long long)job);
	return status;
}

/* A task that does not exist has stopped. */
static enum dray_status stop(struct dray_client *client, const struct wish *wish,
			     struct dray_error *error)
{
	enum dray_status status = dray_recurring_remove(client, wish->key, error);

	return status == DRAY_STATUS_NONE ? DRAY_STATUS_OK : status;
}

static const struct verb {
	const char *word;
	enum dray_status (*act)(struct dray_client *client, const struct wish *wish,
				struct dray_error *error);
	int least, most; /* words behind it */
	int repeatable;  /* twice is the same as once */
} verbs[] = {
	{ "set", set, 2, 3, 1 }, { "rest", rest, 1, 2, 1 }, { "wake", wake, 1, 1, 1 },
	{ "now", now, 1, 1, 0 }, { "stop", stop, 1, 1, 1 },
};

static const struct verb *find_verb(const char *word, int words)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(verbs[i].word, word) == 0 && words >= verbs[i].least &&
		    words <= verbs[i].most)
			return &verbs[i];
	errx(2, "usage: report_times DATABASE-URL set|rest|wake|now|stop CUSTOMER [...]");
}

static void check_name(const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '-' && name[i] != '_')
			errx(2, "a customer's name has letters, digits, - and _");
	if (length == 0 || length > NAME_MOST)
		errx(2, "a customer's name has 1 to %d bytes", NAME_MOST);
}

/* The text says what is wrong, for instance where in the schedule, and what may have been meant. */
static int give_up(const struct dray_error *error)
{
	warnx("%s (%s)", error->text, dray_status_name(error->status));
	return error->status == DRAY_STATUS_DOWN || error->status == DRAY_STATUS_RETRY ||
			       error->status == DRAY_STATUS_UNCERTAIN
		       ? 3
		       : 1;
}

int main(int argc, char **argv)
{
	char key[NAME_MOST + sizeof("report-")];
	struct dray_client *client;
	struct dray_error error;

	const struct verb *verb = find_verb(argc > 2 ? argv[2] : "", argc - 3);
	check_name(argv[3]);
	const struct wish wish = { .customer = argv[3],
				   .key = key,
				   .first = argv[4],
				   .second = argc > 5 ? argv[5] : NULL };
	(void)snprintf(key, sizeof(key), "report-%s", wish.customer);
	if (dray_open(argv[1], NULL, &client, &error) != DRAY_STATUS_OK)
		return give_up(&error);
	enum dray_status status = verb->act(client, &wish, &error);
	for (int i = 1; verb->repeatable && status == DRAY_STATUS_UNCERTAIN && i < ATTEMPTS; i++)
		status = verb->act(client, &wish, &error);
	dray_close(client);
	return status == DRAY_STATUS_OK ? 0 : give_up(&error);
}
