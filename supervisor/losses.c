#include "supervisor/losses.h"

#include <stdio.h>
#include <sys/wait.h>

struct loss_policy losses_policy(const struct config *config, struct text *classes)
{
	int64_t standard = config_losses(config, NULL);
	const char *separator = "";

	text_clear(classes);
	text_add(classes, "[");
	for (size_t i = 0; i < config->class_count; i++) {
		int64_t own = config_losses(config, &config->classes[i]);
		if (own == standard)
			continue;
		text_printf(classes, "%s{\"class_name\":", separator);
		text_json(classes, config->classes[i].name);
		text_printf(classes, ",\"max_losses\":%lld}", (long long)own);
		separator = ",";
	}
	text_add(classes, "]");
	return (struct loss_policy){ .max_losses = standard, .classes = text_string(classes) };
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
