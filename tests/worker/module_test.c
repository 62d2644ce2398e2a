/* Which files are taken for modules, and how the others are refused. */
#include "include/dray.h"
#include "tests/support/test.h"
#include "worker/module/module.h"

#define MODULES BINARY_DIR "/tests/modules/"

CASE(a_good_module_is_loaded)
{
	const struct dray_module *module = NULL;
	const struct dray_module *again = NULL;
	const struct dray_function *function = NULL;

	must(module_open, MODULES "probe.so", &module);
	assert_string_equal(module->name, "probe");
	must(module_find, module, "NoopJob", &function);
	assert_string_equal(function->class_name, "NoopJob");
	must(module_open, MODULES "probe.so", &again);
	assert_ptr_equal(module, again);
}

CASE(a_class_that_the_module_does_not_have)
{
	const struct dray_module *module = NULL;
	const struct dray_function *function = NULL;
	struct error error;

	assert_int_equal(module_open(MODULES "probe.so", &module, &error), STATUS_OK);
	assert_int_equal(module_find(module, "OtherJob", &function, &error), STATUS_INVALID);
	assert_null(function);
	assert_non_null(strstr(error.text, "\"probe\" has no function for class OtherJob"));
	assert_non_null(strstr(error.text, "NoopJob, TellJob"));
}

struct refusal {
	const char *file;
	const char *message[2];
};

static const struct refusal refusals[] = {
	{ "other_abi.so", { "interface 42", "this dray has 1" } },
	{ "too_small.so", { "8 bytes", "expected at least" } },
	{ "no_functions.so", { "no functions", "no_functions.so" } },
	{ "no_symbol.so", { "not a dray module", "dray_module" } },
	{ "unresolved.so", { "cannot load module", "nobody_has_this" } },
	{ "missing.so", { "cannot load module", "No such file" } },
	{ "text.so", { "cannot load module", "invalid ELF header" } },
	{ "empty.so", { "cannot load module", "file too short" } },
	{ "", { "cannot load module", "" } },
};

CASE(others_are_refused_by_name)
{
	test_write_file(MODULES "text.so",
			"#!/bin/sh\necho this is a script, and long enough to be read "
			"as the header of something else entirely\n");
	test_write_file(MODULES "empty.so", "");
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const struct refusal *refusal = &refusals[i];
		const struct dray_module *module = NULL;
		struct error error;
		char path[512];

		(void)snprintf(path, sizeof(path), "%s%s", MODULES, refusal->file);
		assert_int_equal(module_open(path, &module, &error), STATUS_INVALID);
		assert_null(module);
		for (size_t m = 0; m < 2; m++)
			if (strstr(error.text, refusal->message[m]) == NULL)
				fail_msg("%s: expected \"%s\" in: %s", refusal->file,
					 refusal->message[m], error.text);
		assert_non_null(strstr(error.text, path));
	}
}
