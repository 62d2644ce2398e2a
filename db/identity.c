#include "db/identity.h"

#include <stdio.h>
#include <string.h>

void identity_seen(struct identity *identity, const char *text)
{
	if (!*text || strcmp(identity->text, text) == 0)
		return;
	if (*identity->text)
		identity->met++;
	(void)snprintf(identity->text, sizeof(identity->text), "%s", text);
}
