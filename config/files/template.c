#include "config/settings/setting.h"

#include <string.h>

/* The same names as the worker's, which fills them in. */
static bool is_name(const char *start, size_t length)
{
	static const char allowed[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
	return length > 0 && strspn(start, allowed) >= length;
}

bool template_check(const char *template, const char **fault)
{
	const char *at = template;
	while ((at = strpbrk(at, "{}"))) {
		if (at[0] == at[1]) {
			at += 2;
			continue;
		}
		*fault = *at == '}' ? "this } has no {" : "this { has no }";
		const char *end = *at == '{' ? strchr(at, '}') : NULL;
		if (!end)
			return false;
		*fault = "this is no name or number";
		if (!is_name(at + 1, (size_t)(end - at - 1)))
			return false;
		at = end + 1;
	}
	return true;
}
