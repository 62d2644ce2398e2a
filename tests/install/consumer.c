/* A stranger's program against an installation: enqueues a job and finds it. Argument: a url. */
#include <stdio.h>
#include <string.h>

#include <dray.h>

static int complain(const char *what, const struct dray_error *error)
{
	fprintf(stderr, "%s: %s: %s\n", what, dray_status_name(error->status), error->text);
	return 1;
}

static int run(struct dray_client *client)
{
	struct dray_error error;
	struct dray_new_job job =
		DRAY_NEW_JOB(.class_name = "GreetJob", .arguments = "{\"name\": \"Ada\"}");
	struct dray_job_info info = DRAY_JOB_INFO(.id = 0);

	if (dray_enqueue(client, &job, &error) != DRAY_STATUS_OK)
		return complain("enqueue", &error);
	if (dray_find(client, job.id, &info, &error) != DRAY_STATUS_OK)
		return complain("find", &error);
	if (info.state != DRAY_STATE_READY || strcmp(info.class_name, "GreetJob") != 0)
		return 1;
	printf("libdray %s enqueued job %lld\n", dray_version(), (long long)job.id);
	return 0;
}

int main(int argc, char **argv)
{
	struct dray_client *client = NULL;
	struct dray_error error = { .text = "expected a database url" };

	if (argc != 2 || dray_open(argv[1], NULL, &client, &error) != DRAY_STATUS_OK)
		return complain("open", &error);

	int status = run(client);
	dray_close(client);
	return status;
}
