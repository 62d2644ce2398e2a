#include "supervisor/losses.h"

#include <stdio.h>
#include <sys/wait.h>

/* One text after the other, because it may move while it grows. */
struct loss_policy losses_policy(const struct config *config, struct text *classes)
{
	text_clear(classes);
	config_loss_bounds(config, false, classes);
	text_append(classes, "", 1);
	size_t declared = classes->length;
	config_loss_bounds(config, true, classes);
	return (struct loss_policy){
		.max_losses = config_losses(config, NULL),
		.classes = text_string(classes),
		.others_fail = config->process.other_on_lost == ON_LOST_FAIL,
		.declared = text_string(classes) + declared,
		.other_class = config_other_class(config),
	};
}

struct prune losses_prune(const struct config *config, int64_t self)
{
	return prune_after(config->process.process_alive_threshold,
			   config->process.other_process_alive_threshold, self);
}

void losses_describe(int status, char *text, size_t size)
{
	if (WIFSIGNALED(status))
		(void)snprintf(text, size, "Received unhandled signal %d.", WTERMSIG(status));
	else
		(void)snprintf(text, size, "Exited with status %d.", WEXITSTATUS(status));
}
