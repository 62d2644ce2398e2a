/*
 * effect-command [MILLISECONDS [STATUS]]: the same as a command. It exits with the status: 65 at
 * every run of its job, another one at the first.
 */
#include <stdlib.h>
#include <sysexits.h>
#include <unistd.h>

#include "bench/effect.h"

static int64_t number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtoll(text, NULL, 10) : 0;
}

int main(int argc, char **argv)
{
	int64_t job = number("DRAY_JOB_ID");
	int64_t claim = number("DRAY_CLAIM_ID");

	if (!effect_write(EFFECT_BEGIN, job, claim, getppid()))
		return 1;
	effect_work(argc > 1 ? strtoll(argv[1], NULL, 10) : 0);
	if (!effect_write(EFFECT_END, job, claim, getppid()))
		return 1;
	const int status = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0;
	return status == EX_DATAERR || number("DRAY_ATTEMPT") == 1 ? status : 0;
}
