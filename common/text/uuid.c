#include "common/text/uuid.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* Random bytes of one thread. A child must not use what its parent has left: see forked. */
struct pool {
	unsigned char bytes[512];
	size_t left;
	unsigned generation;
};

static _Thread_local struct pool pool;
static _Atomic unsigned generation = 1;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void forked(void)
{
	atomic_fetch_add(&generation, 1);
}

static void watch_forks(void)
{
	/*
	 * Without the handler a child would repeat its parent's numbers: it is safer to end here.
	 */
	if (pthread_atfork(NULL, NULL, forked) != 0)
		abort();
}

static void fill(void *bytes, size_t count)
{
	unsigned char *at = bytes;
	while (count > 0) {
		ssize_t got = getrandom(at, count, 0);
		if (got < 0 && errno != EINTR)
			abort(); /* the call is missing or filtered: IDs would not be unique */
		if (got < 0)
			continue;
		at += got;
		count -= (size_t)got;
	}
}

static void take(void *bytes, size_t count)
{
	(void)pthread_once(&once, watch_forks);
	unsigned now = atomic_load(&generation);
	if (pool.left < count || pool.generation != now) {
		fill(pool.bytes, sizeof(pool.bytes));
		pool.left = sizeof(pool.bytes);
		pool.generation = now;
	}
	pool.left -= count;
	memcpy(bytes, pool.bytes + pool.left, count);
}

/* How far the IDs may run ahead of the clock when many are made at once: a second. */
#define STEPS_PER_MILLISECOND UINT64_C(4096)
#define STEPS_AHEAD           (1000 * STEPS_PER_MILLISECOND)

/*
 * The instant in steps of 1/4096 ms, moved past the last one: IDs of one process sort even when the
 * clock stands still. A clock that was set back by more than a second is followed.
 */
static uint64_t next_step(int64_t instant)
{
	static _Atomic uint64_t last;
	uint64_t micros = instant < 0 ? 0 : (uint64_t)instant;
	uint64_t now = micros / 1000 * STEPS_PER_MILLISECOND +
		       micros % 1000 * STEPS_PER_MILLISECOND / 1000;
	uint64_t seen = atomic_load(&last);
	uint64_t step;
	do {
		step = now <= seen && seen - now < STEPS_AHEAD ? seen + 1 : now;
	} while (!atomic_compare_exchange_weak(&last, &seen, step));
	return step;
}

void uuid_v7(int64_t instant, char text[UUID_TEXT_SIZE])
{
	uint64_t step = next_step(instant);
	uint64_t milliseconds = step / STEPS_PER_MILLISECOND & UINT64_C(0xffffffffffff);
	unsigned fraction = (unsigned)(step % STEPS_PER_MILLISECOND);
	uint64_t bits;
	take(&bits, sizeof(bits));
	unsigned high = (unsigned)(bits >> 48 & 0x3fff) | 0x8000; /* the variant */
	(void)snprintf(text, UUID_TEXT_SIZE, "%08" PRIx64 "-%04" PRIx64 "-7%03x-%04x-%012" PRIx64,
		       milliseconds >> 16, milliseconds & 0xffff, fraction, high,
		       bits & UINT64_C(0xffffffffffff));
}

void random_hex(unsigned bytes, char *text)
{
	for (unsigned i = 0; i < bytes; i++) {
		unsigned char byte;
		take(&byte, 1);
		(void)snprintf(text + (size_t)2 * i, 3, "%02x", byte);
	}
	text[(size_t)2 * bytes] = '\0';
}

uint64_t random_below(uint64_t bound)
{
	if (bound < 2)
		return 0;
	/*
	 * The first 2^64 mod bound numbers are discarded: without them each remainder is equally
	 * likely.
	 */
	uint64_t uneven = (UINT64_MAX - bound + 1) % bound;
	uint64_t bits;
	do {
		take(&bits, sizeof(bits));
	} while (bits < uneven);
	return bits % bound;
}
