/*
 * Enqueues one ChecksumJob for each regular file of a directory:
 *
 *     enqueue_files DATABASE-URL DIRECTORY [QUEUE]
 *
 * Exit status: 0 all enqueued, 1 not enqueued, 2 wrong arguments, 3 the database is away: try again
 * later.
 */
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <dray.h>

/* The number of jobs in one transaction. */
#define BATCH 500

struct batch {
	struct dray_client *client;
	const char *queue;
	struct dray_new_job jobs[BATCH];
	char *arguments[BATCH];
	size_t count;
	int64_t first; /* IDs over all batches; 0 = none yet */
	int64_t last;
	size_t total;
};

/* Reports a failure, and returns the exit status for its kind. */
static int give_up(const struct dray_error *error)
{
	warnx("%s (%s)", error->text, dray_status_name(error->status));
	return error->status == DRAY_STATUS_DOWN || error->status == DRAY_STATUS_RETRY ||
			       error->status == DRAY_STATUS_UNCERTAIN
		       ? 3
		       : 1;
}

/*
 * If the answer to a commit was lost, the call has looked for the jobs already; this looks once
 * more.
 */
static enum dray_status enqueue_batch(struct batch *batch, struct dray_error *error)
{
	enum dray_status status = dray_enqueue_all(batch->client, batch->jobs, batch->count, error);

	if (status == DRAY_STATUS_UNCERTAIN)
		status = dray_resolve(batch->client, batch->jobs, batch->count, error);
	if (status == DRAY_STATUS_NONE)
		status = dray_enqueue_all(batch->client, batch->jobs, batch->count, error);
	return status;
}

static int flush(struct batch *batch)
{
	struct dray_error error;

	if (batch->count == 0)
		return 0;
	if (enqueue_batch(batch, &error) != DRAY_STATUS_OK)
		return give_up(&error);
	if (batch->first == 0)
		batch->first = batch->jobs[0].id;
	batch->last = batch->jobs[batch->count - 1].id;
	batch->total += batch->count;
	for (size_t i = 0; i < batch->count; i++)
		free(batch->arguments[i]);
	batch->count = 0;
	return 0;
}

/* Writes the text as in a JSON string. */
static void put_escaped(FILE *stream, const char *text)
{
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < ' ')
			fprintf(stream, "\\u%04x", (unsigned)c);
		else
			fprintf(stream, c == '"' || c == '\\' ? "\\%c" : "%c", c);
	}
}

/* {"path": "DIRECTORY/NAME"}; NULL when there is no memory. */
static char *path_argument(const char *directory, const char *name)
{
	char *text = NULL;
	size_t length = 0;
	FILE *stream = open_memstream(&text, &length);

	if (stream == NULL)
		return NULL;
	fputs("{\"path\": \"", stream);
	put_escaped(stream, directory);
	fputc('/', stream);
	put_escaped(stream, name);
	fputs("\"}", stream);
	return fclose(stream) == 0 ? text : NULL;
}

static int add(struct batch *batch, const char *directory, const char *name)
{
	char *argument = path_argument(directory, name);

	if (argument == NULL)
		err(1, "%s", name);
	batch->arguments[batch->count] = argument;
	batch->jobs[batch->count++] =
		(struct dray_new_job)DRAY_NEW_JOB(.class_name = "ChecksumJob",
						  .arguments = argument, .queue = batch->queue);
	return batch->count == BATCH ? flush(batch) : 0;
}

static int enqueue_directory(struct batch *batch, const char *directory)
{
	DIR *folder = opendir(directory);
	const struct dirent *entry;
	int status = 0;

	if (folder == NULL)
		err(1, "%s", directory);
	while (status == 0 && (entry = readdir(folder)) != NULL) {
		struct stat info;
		if (fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(info.st_mode))
			status = add(batch, directory, entry->d_name);
	}
	(void)closedir(folder);
	return status == 0 ? flush(batch) : status;
}

int main(int argc, char **argv)
{
	static struct batch batch;
	struct dray_error error;

	if (argc < 3 || argc > 4)
		errx(2, "usage: enqueue_files DATABASE-URL DIRECTORY [QUEUE]");
	batch.queue = argc > 3 ? argv[3] : NULL;
	if (dray_open(argv[1], NULL, &batch.client, &error) != DRAY_STATUS_OK)
		return give_up(&error);
	int status = enqueue_directory(&batch, argv[2]);
	dray_close(batch.client);
	if (batch.total > 0)
		printf("%zu jobs, from %lld to %lld\n", batch.total, (long long)batch.first,
		       (long long)batch.last);
	else
		printf("no jobs\n");
	return status;
}
