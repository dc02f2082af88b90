# What the build and the tests need from the system: Debian's names, and how each is found.
PACKAGES := libdw libelf ncursesw popt jansson gsl libzstd zlib liblzma

DEBIAN_BUILD := gcc libc6-dev pkg-config libdw-dev libelf-dev libdebuginfod-dev libpfm4-dev binutils-dev libiberty-dev libncurses-dev \
	libpopt-dev libjansson-dev libgsl-dev libzstd-dev zlib1g-dev liblzma-dev
DEBIAN_TEST  := libcmocka-dev bats universal-ctags shellcheck mandoc git jq gawk zsh strace procps tmux
# What only CI needs: the other compiler with its fuzzer, a second opinion on counts and memory, the guest.
DEBIAN_CI    := linux-perf clang libclang-rt-14-dev valgrind qemu-system-arm gcc-aarch64-linux-gnu cpio \
	protobuf-compiler python3-yaml slurmctld slurmd slurm-client munge

# The files that stand for the packages: the build stops early, and by name, when one is missing.
NEEDED_HEADERS := elfutils/libdw.h perfmon/pfmlib.h bfd.h dis-asm.h libiberty/demangle.h popt.h jansson.h \
	gsl/gsl_cdf.h zstd.h zlib.h lzma.h ncurses.h elfutils/debuginfod.h
have_headers = printf '\#include <%s>\n' stdio.h $(1) | $(CC) -DPACKAGE -E -xc - >/dev/null 2>&1
have_packages = pkg-config --exists $(PACKAGES) 2>/dev/null && $(call have_headers,$(NEEDED_HEADERS))
have_test_packages = $(have_packages) && command -v bats >/dev/null && \
	$(call have_headers,stdarg.h stddef.h stdint.h setjmp.h cmocka.h)

INSTALL := apt-get install -y --no-install-recommends

need-packages:
	@$(have_packages) || { echo 'missing development files. Run:  make deps   (as root; or:' >&2; \
	echo '  $(INSTALL) $(DEBIAN_BUILD)   )' >&2; exit 1; }

# Everything for the build and for `make check`. DEPS=build leaves the tests' tools out, DEPS=ci adds CI's.
DEBIAN = $(DEBIAN_BUILD) $(if $(filter build,$(DEPS)),,$(DEBIAN_TEST)) $(if $(filter ci,$(DEPS)),$(DEBIAN_CI))
deps:
	@command -v apt-get >/dev/null || { echo 'make deps knows apt only; install what provides: $(NEEDED_HEADERS)' >&2; exit 1; }
	@if [ "$$(id -u)" != 0 ]; then echo 'packages are missing, and installing them needs root. Run:' >&2; \
	echo '  sudo $(INSTALL) $(DEBIAN)' >&2; exit 1; fi
	@echo 'installing what is missing of: $(DEBIAN)'
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -qq -o Dpkg::Use-Pty=0 --no-install-recommends $(DEBIAN) >/dev/null

.PHONY: deps need-packages
