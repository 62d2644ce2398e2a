#include "worker/module/module.h"

#include <dlfcn.h>
#include <string.h>

#include "common/text/text.h"
#include "include/dray.h"

#define NAMES_SHOWN 400

static enum status check(const struct dray_module *module, const char *path, struct error *error)
{
	if (module->abi != DRAY_ABI)
		return error_set(error, STATUS_INVALID,
				 "%s: built for module interface %u, this dray has %d: rebuild it "
				 "with this version's dray.h",
				 path, module->abi, DRAY_ABI);
	if (module->size < sizeof(*module))
		return error_set(error, STATUS_INVALID,
				 "%s: its dray_module has %u bytes, expected at least %zu", path,
				 module->size, sizeof(*module));
	if (!module->name || !module->functions)
		return error_set(error, STATUS_INVALID,
				 "%s: its dray_module has no name or no functions", path);
	return STATUS_OK;
}

/* dlerror keeps its text per thread. */
static const char *reason(void)
{
	const char *text = dlerror(); /* NOLINT(concurrency-mt-unsafe) */

	return text ? text : "unknown error";
}

enum status module_open(const char *path, const struct dray_module **module, struct error *error)
{
	const struct dray_module *found;
	enum status status;
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return error_set(error, STATUS_INVALID, "cannot load module %s: %s", path,
				 reason());
	found = dlsym(handle, "dray_module");
	if (!found) {
		(void)dlclose(handle);
		return error_set(error, STATUS_INVALID,
				 "%s: not a dray module (it exports no symbol dray_module; see "
				 "DRAY_MODULE in dray.h)",
				 path);
	}
	status = check(found, path, error);
	if (status != STATUS_OK) {
		(void)dlclose(handle);
		return status;
	}
	*module = found;
	return STATUS_OK;
}

static enum status not_found(const struct dray_module *module, const char *class_name,
			     struct error *error)
{
	struct text names = { .maximum = NAMES_SHOWN };

	for (const struct dray_function *f = module->functions; f->class_name; f++)
		text_printf(&names, "%s%s", f == module->functions ? "" : ", ", f->class_name);
	(void)error_set(error, STATUS_INVALID,
			"module \"%s\" has no function for class %s (it has: %s%s)", module->name,
			class_name, text_string(&names), names.truncated ? "..." : "");
	text_free(&names);
	return STATUS_INVALID;
}

enum status module_find(const struct dray_module *module, const char *class_name,
			const struct dray_function **function, struct error *error)
{
	for (const struct dray_function *f = module->functions; f->class_name; f++)
		if (strcmp(f->class_name, class_name) == 0 && f->run) {
			*function = f;
			return STATUS_OK;
		}
	return not_found(module, class_name, error);
}
