#include "policy/policy.h"

/* One text after the other, because the buffer may move while it grows. */
struct loss_policy policy_losses(const struct config *config, struct text *classes)
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

struct prune policy_silence(const struct config *config, int64_t self)
{
	return prune_after(config->process.process_alive_threshold,
			   config->process.other_process_alive_threshold, self);
}
