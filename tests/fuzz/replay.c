/* Run one fuzz target over kept inputs, without a fuzzer. usage: replay_fuzz_X FILE... */
#include <stdint.h>
#include <stdio.h>

#include "base/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		auto_free char *bytes = NULL;
		size_t size;
		struct error *err = file_read(argv[i], &bytes, &size);

		if (err) {
			fprintf(stderr, "%s\n", error_message(err));
			error_destroy(err);
			return 1;
		}
		LLVMFuzzerTestOneInput((const uint8_t *)bytes, size);
	}
	return 0;
}
