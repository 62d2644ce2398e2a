/*
 * Runs one fuzz target over kept inputs, without libFuzzer: any compiler, any sanitizer, every
 * run of the suite. Arguments are files or folders of files; a crash or a sanitizer's report
 * fails the case, and so does having no input at all.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned replay_file(const char *path)
{
	FILE *file = fopen(path, "rbe");
	struct stat about;

	if (!file || fstat(fileno(file), &about) != 0) {
		perror(path);
		exit(1);
	}
	/* Exactly as long as the input, so that the address sanitizer sees a read past its end. */
	size_t size = (size_t)about.st_size;
	uint8_t *data = malloc(size > 0 ? size : 1);
	if (!data || fread(data, 1, size, file) != size) {
		perror(path);
		exit(1);
	}
	fclose(file);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 1;
}

static unsigned replay(const char *path)
{
	struct dirent **entries;
	char inner[4096];
	unsigned inputs = 0;
	int count = scandir(path, &entries, NULL, alphasort);

	if (count < 0)
		return replay_file(path);
	for (int i = 0; i < count; i++) {
		int length = snprintf(inner, sizeof(inner), "%s/%s", path, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.' && length < (int)sizeof(inner))
			inputs += replay_file(inner);
		free(entries[i]);
	}
	free(entries);
	return inputs;
}

int main(int argc, char **argv)
{
	unsigned inputs = 0;

	for (int i = 1; i < argc; i++)
		inputs += replay(argv[i]);
	printf("%u inputs replayed\n", inputs);
	return inputs > 0 ? 0 : 1;
}
