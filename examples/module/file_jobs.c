/*
 * A job module for files. Each function below is a job class (the table at the end says which);
 * config/jobs.yml names this module for it:
 *
 *     WordCountJob:
 *       module: lib/file_jobs.so
 *
 * and `dray enqueue WordCountJob path=README.md` runs it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include <dray.h>

#define CHUNK 65536

/* The error of a file operation, in the words of the system. */
static enum dray_result io_error(struct dray_job *job, const char *path)
{
	return dray_job_fail(job, "IOError", "%s: %s", path, strerrordesc_np(errno));
}

/* Called for each piece of a file. */
typedef void consumer(void *context, const unsigned char *data, size_t length);

/* False with errno set when the file could not be read to its end. */
static bool read_file(const char *path, consumer *consume, void *context)
{
	unsigned char chunk[CHUNK];
	FILE *file = fopen(path, "re");
	size_t length;
	int code = 0;

	if (file == NULL)
		return false;
	while ((length = fread(chunk, 1, sizeof(chunk), file)) > 0)
		consume(context, chunk, length);
	if (ferror(file))
		code = errno;
	(void)fclose(file);
	errno = code;
	return code == 0;
}

/* WordCountJob */

struct counts {
	unsigned long long lines;
	unsigned long long words;
	unsigned long long bytes;
	bool in_word;
};

static bool is_space(unsigned char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void count(void *context, const unsigned char *data, size_t length)
{
	struct counts *counts = context;

	counts->bytes += length;
	for (size_t i = 0; i < length; i++) {
		bool in_word = !is_space(data[i]);

		counts->lines += data[i] == '\n';
		counts->words += in_word && !counts->in_word;
		counts->in_word = in_word;
	}
}

/* path: counts its lines, words and bytes as wc(1) does. */
static enum dray_result word_count(struct dray_job *job)
{
	const char *path = dray_job_text(job, "path");
	struct counts counts = { 0 };

	if (path == NULL)
		return dray_job_missing(job, "path");
	if (!read_file(path, count, &counts))
		return io_error(job, path);
	dray_job_log(job, "%s: %llu lines, %llu words, %llu bytes", path, counts.lines,
		     counts.words, counts.bytes);
	return DRAY_OK;
}

/* ChecksumJob */

/* CRC-32 as in gzip and zip (ISO-HDLC): reflected polynomial, bit by bit. */
static void add_to_crc(void *context, const unsigned char *data, size_t length)
{
	uint32_t *crc = context;

	for (size_t i = 0; i < length; i++) {
		*crc ^= data[i];
		for (int bit = 0; bit < 8; bit++)
			*crc = *crc >> 1 ^ ((*crc & 1) != 0 ? 0xedb88320U : 0);
	}
}

/*
 * path, and optionally expected (eight hexadecimal digits): computes the file's CRC-32 and fails
 * when it is a different one.
 */
static enum dray_result checksum(struct dray_job *job)
{
	const char *path = dray_job_text(job, "path");
	const char *expected = dray_job_text(job, "expected");
	uint32_t crc = 0xffffffffU;
	char text[9];

	if (path == NULL)
		return dray_job_missing(job, "path");
	if (!read_file(path, add_to_crc, &crc))
		return io_error(job, path);
	(void)snprintf(text, sizeof(text), "%08x", crc ^ 0xffffffffU);
	if (expected != NULL && strcasecmp(expected, text) != 0)
		return dray_job_fail(job, "ChecksumMismatch", "%s: checksum %s, expected %s", path,
				     text, expected);
	dray_job_log(job, "%s: %s", path, text);
	return DRAY_OK;
}

/* FolderSizeJob */

/*
 * path, and optionally maximum (bytes): adds up the sizes of the files in one folder, and fails
 * when the sum exceeds the maximum. A long walk checks now and then whether the worker wants to
 * stop.
 */
static enum dray_result folder_size(struct dray_job *job)
{
	const char *path = dray_job_text(job, "path");
	int64_t maximum = INT64_MAX;
	int64_t size = 0;
	struct dirent *entry;
	DIR *folder;

	if (path == NULL)
		return dray_job_missing(job, "path");
	(void)dray_job_integer(job, "maximum", &maximum);
	folder = opendir(path);
	if (folder == NULL)
		return io_error(job, path);
	while ((entry = readdir(folder)) != NULL && !dray_job_stopping(job)) {
		struct stat info;

		if (fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(info.st_mode))
			size += info.st_size;
	}
	(void)closedir(folder);
	if (entry != NULL)
		return dray_job_fail(job, "Interrupted", "%s: the worker is stopping", path);
	if (size > maximum)
		return dray_job_fail(job, "FolderTooLarge", "%s: %lld bytes, at most %lld expected",
				     path, (long long)size, (long long)maximum);
	dray_job_log(job, "%s: %lld bytes", path, (long long)size);
	return DRAY_OK;
}

static const struct dray_function functions[] = {
	{ "WordCountJob", word_count },
	{ "ChecksumJob", checksum },
	{ "FolderSizeJob", folder_size },
	{ NULL, NULL },
};

DRAY_MODULE("file_jobs", functions);
