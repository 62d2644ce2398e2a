#include "config/setting.h"

#include <string.h>

#define DIGITS  "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

static bool is_name(const char *start, size_t length)
{
	if (length == 0)
		return false;
	if (strspn(start, DIGITS) >= length)
		return true;
	return !strchr(DIGITS, *start) && strspn(start, LETTERS DIGITS) >= length;
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
