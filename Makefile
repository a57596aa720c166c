# SPDX-License-Identifier: Apache-2.0
# The commands of the project. `make demo` and `make test` do everything on a fresh Debian 12 that has
# git, make and a compiler: they install what is missing (or print the line that does), build and run.
#
#   PRESET=release   dev, release, relassert, asan, tsan (CMakePresets.json)
#   JOBS=<cores>     compile and test jobs at once
#   PREFIX=/usr/local  where `make install` puts the program
#   DEPS=skip        do not look for Debian packages
#   LOCKSTEP_WERROR=ON  treat compiler warnings as errors (as .ci/run does)

PRESET ?= release
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
DEPS ?= check
BENCH_CONFIG ?= @demo
BENCH_DATA ?= run/bench/data
FUZZ_SECONDS ?= 60

build_dir := $(if $(filter release,$(PRESET)),build,build-$(PRESET))
werror := $(if $(LOCKSTEP_WERROR),-DLOCKSTEP_WERROR=$(LOCKSTEP_WERROR))

.DEFAULT_GOAL := help
.PHONY: help deps configure build install demo test asan tsan stress fuzz lint format bench

help:
	@echo "make deps     install the Debian packages of tools/dependencies.txt, or print the line that does"
	@echo "make build    build the program: $(build_dir)/bin/lockstep"
	@echo "make demo     build, make a small data set, train on it, evaluate and draw: minutes on two cores"
	@echo "make test     build everything and run the test suite"
	@echo "make asan     the suite under the address, leak and undefined behaviour sanitizers, in build-asan/"
	@echo "make tsan     the suite and the planted races under the thread sanitizer, in build-tsan/"
	@echo "make stress   the checks too slow for the suite: 10,000 random nets, both executors; PRESET=tsan too"
	@echo "make fuzz     every fuzz target for FUZZ_SECONDS=$(FUZZ_SECONDS); needs tools/install_dependencies --fuzz"
	@echo "make install  install the program and its recipes under PREFIX=$(PREFIX)"
	@echo "make bench    time one training step of $(BENCH_CONFIG) (BENCH_CONFIG) on $(BENCH_DATA) (BENCH_DATA)"
	@echo "make lint     format check, layer check, repository checks, clang-tidy"
	@echo "make format   format the sources"

deps:
ifeq ($(DEPS),skip)
	@echo "dependencies: not checked (DEPS=skip)"
else
	@tools/install_dependencies
endif

configure: deps
	@echo "configure: preset $(PRESET) into $(build_dir)/"
	@cmake --preset $(PRESET) $(werror)

build: configure
	@echo "build: the program $(build_dir)/bin/lockstep, $(JOBS) jobs"
	@cmake --build $(build_dir) --parallel $(JOBS) --target lockstep

install: build
	@echo "install: under $(PREFIX)"
	@cmake --install $(build_dir) --prefix $(PREFIX)

demo: build
	@echo "demo: $(build_dir)/bin/lockstep demo --overwrite"
	@$(build_dir)/bin/lockstep demo --overwrite

test: configure
	@echo "build: everything in $(build_dir)/, $(JOBS) jobs"
	@cmake --build $(build_dir) --parallel $(JOBS)
	@echo "test: the suite in $(build_dir)/, $(JOBS) jobs"
	@ctest --preset $(PRESET) --parallel $(JOBS) --no-label-summary

asan tsan:
	@$(MAKE) --no-print-directory test PRESET=$@

stress: configure
	@echo "build: the slow checks in $(build_dir)/, $(JOBS) jobs"
	@cmake --build $(build_dir) --parallel $(JOBS) --target dag_stress
	@ctest --preset $(PRESET) --build-config stress --label-regex stress

fuzz:
	@tools/install_dependencies --fuzz --check
	@cmake --preset fuzz
	@cmake --build --preset fuzz --parallel $(JOBS)
	@tools/fuzz --seconds $(FUZZ_SECONDS)

bench: build
	@echo "bench: one training step of $(BENCH_CONFIG) on $(BENCH_DATA)"
	@test -d $(BENCH_DATA) || $(build_dir)/bin/lockstep synth $(BENCH_DATA) --images 100 --seed 3
	@$(build_dir)/bin/lockstep bench step --config-file $(BENCH_CONFIG) DATASETS.TRAIN $(BENCH_DATA)

lint: configure
	@tools/lint --build-dir $(build_dir)

format:
	@tools/format
