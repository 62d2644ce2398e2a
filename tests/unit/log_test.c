#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "common/log/log.h"
#include "tests/support/sites/cli.h"

#define LINE_MAXIMUM 16384

/* A file in memory that the log appends to. */
static int open_sink(enum log_format format)
{
	int fd = memfd_create("log", MFD_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_SETFL, O_APPEND), 0);
	log_configure(&(struct log_options){ .level = LOG_INFO, .format = format, .fd = fd });
	return fd;
}

/* All that was logged; the caller frees it. Closes the sink. */
static char *close_sink(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *data = calloc(1, (size_t)size + 1);
	assert_non_null(data);
	assert_int_equal(pread(fd, data, (size_t)size, 0), size);
	(void)close(fd);
	return data;
}

#define parse_line(line) test_json((struct test_result){ .output = (line) })

CASE(test_a_line_of_json)
{
	int fd = open_sink(LOG_FORMAT_JSON);
	log_role("worker");
	errno = 77;
	log_event(LOG_WARN, "job.finished", LOG_INT("job", INT64_MIN),
		  LOG_TEXT("class", "A \"b\"\n"), LOG_TEXT("none", NULL), LOG_REAL("ms", 2.5),
		  LOG_REAL("nan", NAN), LOG_TEXT("bad", "x\xff\xc3"), LOG_INT("pid", 5));
	assert_int_equal(errno, 77);
	log_role(NULL);
	char *line = close_sink(fd);
	assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
	json_t *object = parse_line(line);
	const char *time = test_json_text(object, "time");
	assert_int_equal(strlen(time), 27);
	assert_int_equal(time[10], 'T');
	assert_int_equal(time[26], 'Z');
	assert_string_equal(test_json_text(object, "level"), "warn");
	assert_string_equal(test_json_text(object, "event"), "job.finished");
	assert_string_equal(test_json_text(object, "role"), "worker");
	assert_int_equal(test_json_integer(object, "pid"), getpid());
	assert_int_equal(test_json_integer(object, "pid_"), 5);
	assert_int_equal(test_json_integer(object, "job"), INT64_MIN);
	assert_string_equal(test_json_text(object, "class"), "A \"b\"\n");
	assert_true(json_real_value(json_object_get(object, "ms")) == 2.5);
	assert_true(json_is_null(json_object_get(object, "nan")));
	assert_string_equal(test_json_text(object, "bad"), "x\xef\xbf\xbd\xef\xbf\xbd");
	assert_null(json_object_get(object, "none"));
	json_decref(object);
	free(line);
}

CASE(test_text)
{
	char expected[64];
	int fd = open_sink(LOG_FORMAT_TEXT);
	log_role("worker");
	log_event(LOG_INFO, "job.finished", LOG_INT("job", 5), LOG_TEXT("class", "Foo::Bar"),
		  LOG_REAL("ms", 2.1), LOG_REAL("x", -INFINITY), LOG_TEXT("empty", ""),
		  LOG_TEXT("forged", "a\n03:44:12.345 info worker[1] job.finished"),
		  LOG_TEXT("assigned", "a=b"), LOG_TEXT("red", "\x1b[31m\xc2\x9b"));
	log_role(NULL);
	char *line = close_sink(fd);
	assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
	assert_null(strchr(line, '\x1b'));
	assert_int_equal(strcspn(line, " "), strlen("03:44:12.345"));
	(void)snprintf(expected, sizeof(expected), " info worker[%d] job.finished job=5 ",
		       (int)getpid());
	assert_memory_equal(line + 12, expected, strlen(expected));
	assert_string_equal(line + 12 + strlen(expected),
			    "class=Foo::Bar ms=2.1 x=-inf empty=\"\" "
			    "forged=\"a\\n03:44:12.345 info worker[1] job.finished\" "
			    "assigned=\"a=b\" red=\"\\u001b[31m\\u009b\"\n");
	free(line);
}

CASE(test_levels)
{
	int fd = open_sink(LOG_FORMAT_TEXT);
	assert_false(log_enabled(LOG_DEBUG));
	assert_true(log_enabled(LOG_INFO));
	log_event(LOG_DEBUG, "quiet", LOG_END);
	log_configure(&(struct log_options){ LOG_ERROR, LOG_FORMAT_TEXT, fd });
	log_event(LOG_WARN, "quiet", LOG_END);
	log_event(LOG_ERROR, "loud", LOG_END);
	char *line = close_sink(fd);
	assert_null(strstr(line, "quiet"));
	assert_non_null(strstr(line, " error dray["));
	assert_non_null(strstr(line, "] loud\n"));
	assert_string_equal(log_level_name(LOG_DEBUG), "debug");
	free(line);
}

/* A long value is cut visibly and leaves room for the others. */
static void check_long_value(enum log_format format, char filler)
{
	char *value = malloc(100001);
	assert_non_null(value);
	memset(value, filler, 100000);
	value[100000] = '\0';
	int fd = open_sink(format);
	log_event(LOG_INFO, value, LOG_TEXT("error", value), LOG_TEXT(value, value),
		  LOG_INT("job", 5), LOG_TEXT("more", value), LOG_TEXT("last", "end"));
	char *line = close_sink(fd);
	assert_true(strlen(line) <= LINE_MAXIMUM);
	assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
	assert_non_null(strstr(line, "...\""));
	if (format == LOG_FORMAT_JSON) {
		json_t *object = parse_line(line);
		assert_true(json_is_true(json_object_get(object, "cut")));
		assert_int_equal(test_json_integer(object, "job"), 5);
		assert_string_equal(test_json_text(object, "last"), "end");
		json_decref(object);
	} else {
		assert_non_null(strstr(line, " job=5 "));
		assert_non_null(strstr(line, " last=end cut=true\n"));
	}
	free(line);
	free(value);
}

CASE(test_long_values)
{
	const char fillers[] = { 'x', '"', '\x01', '\xff', ' ' };
	for (size_t i = 0; i < sizeof(fillers); i++) {
		check_long_value(LOG_FORMAT_JSON, fillers[i]);
		check_long_value(LOG_FORMAT_TEXT, fillers[i]);
	}
}

CASE(test_many_fields)
{
	static struct log_field fields[3001];
	static char keys[3000][16];
	for (size_t i = 0; i < 3000; i++) {
		(void)snprintf(keys[i], sizeof(keys[i]), "key%zu", i);
		fields[i] = LOG_INT(keys[i], INT64_MIN);
	}
	fields[3000] = LOG_END;
	int fd = open_sink(LOG_FORMAT_JSON);
	log_write(LOG_INFO, "many", fields);
	char *line = close_sink(fd);
	assert_true(strlen(line) <= LINE_MAXIMUM);
	json_t *object = parse_line(line);
	assert_true(json_is_true(json_object_get(object, "cut")));
	assert_int_equal(test_json_integer(object, "key0"), INT64_MIN);
	json_decref(object);
	free(line);
}

#define THREADS 4
#define EACH    500

static void *log_many(void *context)
{
	for (int i = 0; i < EACH; i++) {
		log_event(LOG_INFO, "thread.line", LOG_TEXT("who", context), LOG_INT("number", i));
		if (i % 100 == 0)
			log_role(i % 200 == 0 ? "one" : "two");
	}
	return NULL;
}

static void *fork_and_log(void *context)
{
	(void)context;
	for (int i = 0; i < 10; i++) {
		int status;
		pid_t child = fork();
		if (child == 0) {
			log_event(LOG_INFO, "child.line", LOG_END);
			_exit(0);
		}
		if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
			return context;
	}
	return NULL;
}

CASE(test_threads_and_children)
{
	pthread_t threads[THREADS];
	pthread_t forker;
	static char who[] = "thread";
	void *failed = NULL;
	int fd = open_sink(LOG_FORMAT_JSON);
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, log_many, who), 0);
	assert_int_equal(pthread_create(&forker, NULL, fork_and_log, threads), 0);
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	assert_int_equal(pthread_join(forker, &failed), 0);
	assert_null(failed);
	log_role(NULL);
	char *data = close_sink(fd);
	size_t lines = 0;
	for (char *line = data; *line != '\0'; lines++) {
		char *end = strchr(line, '\n');
		*end = '\0';
		json_decref(parse_line(line));
		line = end + 1;
	}
	assert_int_equal(lines, THREADS * EACH + 10);
	free(data);
}
