#include "policy/policy.h"

struct loss_policy policy_losses(const struct config *config)
{
	return (struct loss_policy){
		.max_losses = config_losses(config, NULL),
		.keep_attempts = config->process.keep_attempts,
		.end = policy_lost_end,
		.others_fail = config->process.other_on_lost == ON_LOST_FAIL,
		.other_class = config_other_class(config),
	};
}

struct prune policy_silence(const struct config *config, int64_t self)
{
	return prune_after(config->process.process_alive_threshold,
			   config->process.other_process_alive_threshold, self);
}
