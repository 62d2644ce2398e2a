#include "process/control.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

struct control *control_new(struct error *error)
{
	void *page = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED) {
		error_set(error, STATUS_FATAL, "cannot share memory with children: %s",
			  strerrordesc_np(errno));
		return NULL;
	}
	return page; /* all zeros */
}

void control_free(struct control *control)
{
	if (control)
		(void)munmap(control, sizeof(*control));
}

bool control_toggle_quiet(struct control *control)
{
	return (atomic_fetch_add(&control->quiet_changes, 1) + 1) % 2 != 0;
}

bool control_is_quiet(const struct control *control)
{
	return atomic_load(&control->quiet_changes) % 2 != 0;
}

void control_set_log(struct control *control, enum log_level level, enum log_format format)
{
	atomic_store(&control->log_level, (int)level);
	atomic_store(&control->log_format, (int)format);
	atomic_fetch_add(&control->log_changes, 1);
}

void control_set_supervisor(struct control *control, int64_t id)
{
	atomic_store(&control->supervisor_id, id);
}

int64_t control_supervisor(const struct control *control)
{
	return atomic_load(&control->supervisor_id);
}

struct control_view control_look(const struct control *control)
{
	return (struct control_view){ .quiet_changes = atomic_load(&control->quiet_changes),
				      .log_changes = atomic_load(&control->log_changes) };
}
