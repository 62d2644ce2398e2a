/* effect-command [MILLISECONDS]: the same as a command. */
#include <stdlib.h>
#include <unistd.h>

#include "bench/effect.h"

int main(int argc, char **argv)
{
	const char *id = getenv("DRAY_JOB_ID");
	int64_t job = id ? strtoll(id, NULL, 10) : 0;

	if (!effect_write(EFFECT_BEGIN, job, getppid()))
		return 1;
	effect_work(argc > 1 ? strtoll(argv[1], NULL, 10) : 0);
	return effect_write(EFFECT_END, job, getppid()) ? 0 : 1;
}
