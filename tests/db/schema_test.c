#include "tests/support/database.h"
int main(void)
{
	static const struct test_case cases[] = { };
	return test_run_backends("schema", cases, 0);
}
