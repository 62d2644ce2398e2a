/* What goes up the pipe: whole messages, and room for those that count while nobody reads. */
#include "common/process.h"
#include "process/notice.h"
#include "tests/support/test.h"

#define FAR_TOO_MANY 10000

static int ends[2];

static int set_up(void **state)
{
	struct error error;

	(void)state;
	return process_pipe(ends, true, &error) == STATUS_OK ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	return close(ends[0]) | close(ends[1]);
}

CASE_WITH(test_as_sent, set_up, tear_down)
{
	struct notice notice;
	char text[2 * NOTICE_TEXT_SIZE];

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	notice_send(ends[1], NOTICE_READY, 7, NULL);
	notice_send(ends[1], NOTICE_TROUBLE, 8, text);
	assert_true(notice_read(ends[0], &notice));
	assert_int_equal(notice.kind, NOTICE_READY);
	assert_int_equal(notice.lane, 7);
	assert_int_equal(notice.pid, getpid());
	assert_string_equal(notice.text, "");
	assert_true(notice_read(ends[0], &notice));
	assert_int_equal(notice.kind, NOTICE_TROUBLE);
	assert_int_equal(strlen(notice.text), NOTICE_TEXT_SIZE - 1);
	assert_false(notice_read(ends[0], &notice));
	notice_send(-1, NOTICE_READY, 7, NULL);
}

CASE_WITH(test_nobody_reads, set_up, tear_down)
{
	struct notice notice = { 0 };
	size_t count = 0;

	for (unsigned i = 0; i < FAR_TOO_MANY; i++)
		notice_send(ends[1], i % 2 == 0 ? NOTICE_BEAT : NOTICE_TROUBLE, i, "away");
	notice_send(ends[1], NOTICE_READY, 1, NULL);
	notice_send(ends[1], NOTICE_LEFT, 2, NULL);
	while (notice_read(ends[0], &notice) && notice.kind != NOTICE_READY)
		count++;
	assert_int_equal(notice.lane, 1);
	assert_true(count > 0 && count < FAR_TOO_MANY / 2);
	assert_true(notice_read(ends[0], &notice));
	assert_int_equal(notice.kind, NOTICE_LEFT);
	notice_send(ends[1], NOTICE_BEAT, 3, NULL);
	assert_true(notice_read(ends[0], &notice));
	assert_int_equal(notice.lane, 3);
}
