/* effect-command [MILLISECONDS]: the same as a command. */
#include <stdlib.h>
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
	return effect_write(EFFECT_END, job, claim, getppid()) ? 0 : 1;
}
