# carom: library, experiments, records, figures, verification, document; `make help` lists targets.
#
# What is made goes to build/, data/results/, figures/*.{pdf,svg}, paper/generated/ and
# paper/carom.pdf. Nothing is asked of pkg-config or a compiler while this file is read, so that
# `make setup figures` works in one go on a machine that has neither.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDEXPANSION:
.SUFFIXES:
.PRECIOUS: %/
MAKEFLAGS += --no-builtin-rules
# Goals that may be made side by side are, on all cores, unless -j says otherwise.
ifeq ($(MAKELEVEL)$(filter-out all tests data figures gallery scenes verify paper check \
    data/% figures/% paper/% setup%,$(MAKECMDGOALS)),0)
MAKEFLAGS += $(addprefix -j,$(shell [[ $${MAKEFLAGS-} == *j* ]] || nproc))
endif
# One short line a step; `make V=1` shows the commands, `make --trace` the reasons too.
Q := $(if $(V),,@)

VERSION := 0.2.0
# Before 1.0 a minor version may break programs that are linked.
SONAME_VERSION := 0.2
PREFIX ?= /usr/local
DESTDIR ?=

# ---------------------------------------------------------------------------------------- packages
# What each is for is said in docs/install.md.
PACKAGES := gcc g++ make libc6-dev pkg-config libgsl-dev liblapack-dev libblas-dev libsuitesparse-dev libhdf5-dev check \
    libfclib-dev gnuplot-nox fonts-lmodern hdf5-tools netcdf-bin poppler-utils libxml2-utils gcovr valgrind time git \
    glpk-utils
PACKAGES_PAPER := latexmk texlive-latex-recommended texlive-latex-extra texlive-science lmodern
PACKAGES_MPI := libopenmpi-dev openmpi-bin
PACKAGES_LINT := clang clang-format clang-tidy cppcheck libclang-rt-14-dev
PACKAGES_REFERENCE := doxygen
PACKAGES_BROWSER := chromium python3
PACKAGES_PYTHON := python3-h5netcdf python3-xarray python3-pytest
# Debian's modules are seen by Debian's Python alone.
PYTHON ?= /usr/bin/python3

# Given together with other goals, setup comes before everything else, under -j too.
BOOTSTRAP := $(filter setup setup-paper setup-lint setup-reference setup-python setup-mpi setup-browser,$(MAKECMDGOALS))

# ------------------------------------------------------------------------------------------- flags
ifeq ($(origin CC),default)
CC := gcc
endif
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
    -Wmissing-prototypes -Wfloat-equal -Wvla
# clang counts glibc's NAN, a float constant, as a promotion, and warns of a loop (omp simd) that it
# leaves as it is.
WARNINGS += $(if $(findstring clang,$(CC)),-Wno-pass-failed,-Wdouble-promotion)
ifeq ($(CI),true)
WARNINGS += -Werror
endif
# What decides the numbers, and so goes into digests and records; warnings do not.
LANGUAGE := -std=c11 -ffp-contract=off -fPIC -fopenmp -D_POSIX_C_SOURCE=200809L
# Of the library's own objects: what no public header declares is not exported.
VISIBILITY := -fvisibility=hidden
# Suites run once, in the library for the most part: their own objects have -O1, for two thirds of the time.
CFLAGS_RELEASE := $(LANGUAGE) -O2
CFLAGS_SANITIZE := $(LANGUAGE) -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
    -fno-sanitize-recover=all
CFLAGS_COVERAGE := $(LANGUAGE) -O0 -g --coverage

# Dates inside documents are those of the last commit, so that a rebuild gives the same bytes. Into
# a tarball git writes it (RELEASE, .gitattributes). A repository around the tree is not ours.
OUR_GIT := $(if $(wildcard .git),git)
SOURCE_DATE_EPOCH ?= $(or $(filter-out $$Format:%,$(file <RELEASE)), \
    $(if $(OUR_GIT),$(shell git log -1 --pretty=%ct 2>/dev/null)),1767225600)
SOURCE_DATE_EPOCH := $(SOURCE_DATE_EPOCH)
FORCE_SOURCE_DATE := 1
export SOURCE_DATE_EPOCH FORCE_SOURCE_DATE
# One language for every tool: sorting and decimal points do not depend on the user's.
export LC_ALL := C.UTF-8
# Threads of programs that run side by side sleep while they wait.
OMP_WAIT_POLICY ?= passive
export OMP_WAIT_POLICY

# ----------------------------------------------------------------------------------------- sources
# What reaches other processes by MPI is linked into the programs of `make MPI=1` alone.
MPI_SOURCES := src/program/mpi_transport.c
LIBRARY_SOURCES := $(filter-out $(MPI_SOURCES),$(wildcard src/*/*.c src/*/*/*.c))
HEADERS := $(wildcard src/*.h src/*/*.h src/*/*/*.h)
# Public is what the umbrella headers list, and they themselves.
PUBLIC_HEADERS = src/carom.h \
    $(shell sed -n 's/^\#include <carom\/\(.*\)>/src\/\1/p' src/carom.h src/models/models.h)
EXPERIMENTS := $(patsubst experiments/%.c,%,$(wildcard experiments/*.c))
# An experiment too long for one file keeps its further parts in a folder of its name.
EXPERIMENT_PARTS := $(wildcard experiments/*/*.c)
TOOLS := $(patsubst tools/%.c,%,$(wildcard tools/*.c))
BENCH_SOURCES := $(wildcard tests/bench/*.c)
FUZZ_SOURCES := $(wildcard tests/fuzz/*.c)
TEST_SOURCES := $(filter-out tests/bench/% tests/fuzz/% tests/project/%,$(wildcard tests/*/*.c tests/*/*/*.c))
PROJECT_TESTS := $(wildcard tests/project/*.sh)
FIGURE_SCRIPTS := $(filter-out figures/style.gp,$(wildcard figures/*.gp))
PUBLISHED := $(wildcard data/published/*.csv)
SECTIONS := $(wildcard paper/sections/*.tex)
# Experiments by sweeps: data/sweeps/NAME.txt is the set file of sweep, with the program that it runs.
SWEEPS := $(patsubst data/sweeps/%.txt,%,$(wildcard data/sweeps/*.txt))
SCENES := $(wildcard data/examples/*.scene)
# Those with a section of the document.
SHOWN_SCENES := dominoes foot pile
RUNS := $(EXPERIMENTS) $(SWEEPS) $(SHOWN_SCENES)
RECORDS := $(RUNS:%=data/results/%.h5)

.PHONY: all setup setup-paper setup-lint setup-reference setup-python setup-mpi setup-browser reference man data figure figures gallery scenes verify paper tests check check-quick \
    check-python check-browser check-mpi check-contact check-sanitize check-valgrind coverage bench bench-long bench-compare bench-peers gate mutants fuzz lint new-experiment install \
    dist clean help
.PHONY: FORCE

all: build/lib/libcarom.a build/lib/libcarom.so \
    $(EXPERIMENTS:%=build/bin/%) $(TOOLS:%=build/bin/%) ## library, experiments and tools (default)

# -------------------------------------------------------------------------------------------- setup
setup: ## install what library, figures and tests need (Debian 12; elsewhere says what is missing)
	@tools/setup.sh $(PACKAGES)

setup-paper: setup ## install the LaTeX packages as well
	@tools/setup.sh $(PACKAGES_PAPER)

setup-lint: setup ## install the analysers that `make lint` runs
	@tools/setup.sh $(PACKAGES_LINT)

setup-reference: ## install what makes the reference (Doxygen)
	@tools/setup.sh $(PACKAGES_REFERENCE)

setup-python: setup ## install what python/carom_records.py and `make check-python` need
	@tools/setup.sh $(PACKAGES_PYTHON)

setup-mpi: setup ## install Open MPI, for `make MPI=1`
	@tools/setup.sh $(PACKAGES_MPI)

setup-browser: ## install the browser of `make check-browser`
	@tools/setup.sh $(PACKAGES_BROWSER)

# The serial HDF5: where MPI's is installed too, Debian lets the plain name mean that one.
FIND_HDF5 := tools/find_hdf5.sh

# Compiler and linker arguments of the packages, asked again when this file changes, and left alone
# where they are the same. Their headers are system headers: no warnings from them, no dependencies.
# Programs take HDF5 from its archive where that links: Debian's library loads thirty others (curl,
# Kerberos, ...) that nothing here calls, at most of the cost of a start. Suites make calls of malloc
# fail, but none of HDF5's own: they take the library. The linker gold, where it is, needs a third
# of the time.
PACKAGE_FILES := $(addprefix build/,packages.cflags packages.libs library.libs check.libs)
# Of LAPACK and BLAS the reference, by path: -llapack means the one that the machine prefers.
LAPACK_ARCHIVES = $$($(CC) -print-file-name=lapack/liblapack.a) $$($(CC) -print-file-name=blas/libblas.a)
$(PACKAGE_FILES): build/packages.stamp ;
build/packages.stamp: Makefile $(if $(filter-out $(wildcard $(PACKAGE_FILES)),$(PACKAGE_FILES)),FORCE) | build/ $(BOOTSTRAP)
	$(Q)pkg-config --exists gsl check && $(FIND_HDF5) >/dev/null \
	    || { echo 'gsl, hdf5 or check is not installed: run `make setup`' >&2; exit 1; }
	$(Q)ls $(LAPACK_ARCHIVES) >/dev/null || { echo 'the archives of the reference LAPACK and BLAS are not installed:' \
	    'run `make setup`, or say where they are: make LAPACK_ARCHIVES="liblapack.a libblas.a"' >&2; exit 1; }
	$(Q)hdf5=$$($(FIND_HDF5)); \
	links() { \
	    echo 'int H5open(void); int main(void) { return H5open(); }' \
	        | $(CC) -x c - "$$@" -lm -o build/links.probe 2>/dev/null && rm build/links.probe; \
	}; \
	numeric='-Wl,--as-needed -lgsl -lgslcblas -lcxsparse'; \
	folder=$$(pkg-config --libs-only-L $$hdf5); \
	shared="$$folder -lhdf5_hl -lhdf5"; \
	archive="$$folder -l:libhdf5_hl.a -l:libhdf5.a -lsz -lz -ldl"; \
	links $$archive || archive=$$shared; \
	linker=-fuse-ld=gold; \
	links $$linker $$archive || linker=; \
	pkg-config --cflags gsl $$hdf5 check | sed 's/-I */-isystem /g' >build/packages.cflags.tmp; \
	echo "$$linker $$numeric $$archive -lm" >build/packages.libs.tmp; \
	echo "$$numeric $$shared -lm" >build/library.libs.tmp; \
	echo "$$linker $$(pkg-config --libs check)" >build/check.libs.tmp; \
	for file in $(PACKAGE_FILES); do \
	    if cmp -s $$file.tmp $$file; then rm $$file.tmp; else mv $$file.tmp $$file; fi; \
	done; \
	touch $@

%/:
	@mkdir -p $@

# --------------------------------------------------------------------------------- three variants
# release in build/, sanitize in build/sanitize/, coverage in build/coverage/: the same rules.
# $(call parts,DIRECTORY,NAME): objects of the further parts of an experiment
parts = $(patsubst %.c,$(1)/obj/%.o,$(filter experiments/$(2)/%,$(EXPERIMENT_PARTS)))

# $(call differs,FILE,TEXT): FORCE if the file does not hold the text
differs = $(if $(findstring <$(strip $(2))>,<$(strip $(file <$(1)))>),,FORCE)

# $(call wraps,SUITE): something, if its source makes calls of the C library fail
wraps = $(findstring failing_malloc.h,$(file <tests/$(1).c))$(findstring __wrap_,$(file <tests/$(1).c))

# LAPACK becomes a part of the one object that calls it, with local names (src/base/lapack.c).
with_lapack = && $(CC) -r -nostdlib $@.tmp $(LAPACK_ARCHIVES) -o $@.whole \
    && objcopy --wildcard --keep-global-symbol='carom_lapack_*' $@.whole $@.tmp && rm $@.whole

# $(call variant,DIRECTORY,FLAGS)
define variant
# A change of flags rebuilds: the file is rewritten only when its text differs from the flags now.
$(1)/flags: $(call differs,$(1)/flags,$(2) $(VISIBILITY) $(WARNINGS)) | $(1)/
	@printf '%s\n' '$(strip $(2) $(VISIBILITY) $(WARNINGS))' >$$@

# So does a source that appears or disappears.
$(1)/sources: $(call differs,$(1)/sources,$(LIBRARY_SOURCES) $(EXPERIMENT_PARTS)) | $(1)/
	@printf '%s\n' '$(strip $(LIBRARY_SOURCES) $(EXPERIMENT_PARTS))' >$$@

$(1)/obj/%.o: %.c $(1)/flags build/packages.cflags | $$$$(@D)/ $(BOOTSTRAP)
	$$(info $$()  compile $$@)
	$$(Q)$$(CC) $(2) $$(if $$(filter src/%,$$<),$(VISIBILITY)) $$(if $$(filter $(TEST_SOURCES),$$<),-O1) \
	    $(WARNINGS) -Iinclude \
	    @build/packages.cflags -MMD -MP -MF $$(@:.o=.d) -MT $$@ -c $$< -o $$@.tmp \
	    $$(if $$(filter src/base/lapack.c,$$<),$$(with_lapack)) && mv $$@.tmp $$@

$(1)/lib/libcarom.a: $(LIBRARY_SOURCES:%.c=$(1)/obj/%.o) $(1)/sources | $(1)/lib/
	$$(info $$()  archive $$@)
	$(Q)rm -f $$@.tmp && ar rcsD $$@.tmp $$(filter %.o,$$^) && mv $$@.tmp $$@

# A suite that makes allocations fail defines __wrap_malloc and the like (tests/failing_malloc.h):
# the linker puts in those that its object defines, for all but HDF5, which then stays a library.
$(TEST_SOURCES:%.c=$(1)/%): $(1)/tests/%: $(1)/obj/tests/%.o $(1)/lib/libcarom.a $(PACKAGE_FILES) | $$$$(@D)/
	$$(info $$()  link    $$@)
	$$(Q)$$(CC) $(2) $$(if $$(call wraps,$$*),$$$$(nm $$< | sed -n 's/^.* T __wrap_/-Xlinker --wrap=/p')) \
	    $$< $(1)/lib/libcarom.a @build/check.libs \
	    @build/$$(if $$(call wraps,$$*),library,packages).libs -o $$@.tmp && mv $$@.tmp $$@

-include $$(patsubst %.c,$(1)/obj/%.d,$(LIBRARY_SOURCES) $(TEST_SOURCES) $(BENCH_SOURCES) \
    $(EXPERIMENTS:%=experiments/%.c) $(EXPERIMENT_PARTS) $(TOOLS:%=tools/%.c))
endef

$(eval $(call variant,build,$(CFLAGS_RELEASE)))
$(eval $(call variant,build/sanitize,$(CFLAGS_SANITIZE)))
$(eval $(call variant,build/coverage,$(CFLAGS_COVERAGE)))

# Programs of the test variants need no digest: the library's default says "unknown".
define variant_programs
$(EXPERIMENTS:%=$(1)/bin/%): $(1)/bin/%: $(1)/obj/experiments/%.o $$$$(call parts,$(1),$$$$*)
$(TOOLS:%=$(1)/bin/%): $(1)/bin/%: $(1)/obj/tools/%.o
$(EXPERIMENTS:%=$(1)/bin/%) $(TOOLS:%=$(1)/bin/%): $(1)/lib/libcarom.a build/packages.libs | $(1)/bin/
	$$(info $$()  link    $$@)
	$$(Q)$$(CC) $(2) $$(filter %.o,$$^) $(1)/lib/libcarom.a @build/packages.libs \
	    -o $$@.tmp && mv $$@.tmp $$@
endef
$(eval $(call variant_programs,build/sanitize,$(CFLAGS_SANITIZE)))
$(eval $(call variant_programs,build/coverage,$(CFLAGS_COVERAGE)))

build/lib/libcarom.so.$(SONAME_VERSION): $(LIBRARY_SOURCES:%.c=build/obj/%.o) build/library.libs | build/lib/
	$(info $()  link    $@)
	$(Q)$(CC) $(CFLAGS_RELEASE) -shared -Wl,-soname,libcarom.so.$(SONAME_VERSION) -Wl,-z,defs \
	    $(filter %.o,$^) @build/library.libs -o $@.tmp && mv $@.tmp $@

build/lib/libcarom.so: build/lib/libcarom.so.$(SONAME_VERSION)
	$(Q)ln -sf $(<F) $@

# ------------------------------------------------------------------------------------ source digest
# build/digest/NAME.c defines the identity of a program: the sha256 over exactly the sources linked
# into it, comments stripped, with compiler and flags. The stamp says that it was looked at; the
# file changes only when the digest does. What is made by a program depends on its digest, not on
# its binary: a comment, or a source that is not linked, re-runs nothing.
# $(call digest,NAME,OBJECTS)
digest = CC='$(CC)' tools/source_digest.sh $(1) build/lib/libcarom.a '$(CFLAGS_RELEASE)' $(2)

# $(call digest_rules,FOLDER,NAMES)
define digest_rules
$(2:%=build/digest/%.stamp): build/digest/%.stamp: build/obj/$(1)/%.o $$$$(call parts,build,$$$$*) \
    build/lib/libcarom.a tools/source_digest.sh | build/digest/
	@$$(call digest,$$*,$$(filter %.o,$$^))
	@touch $$@

$(2:%=build/digest/%.c): build/digest/%.c: build/digest/%.stamp
	$$(if $$(file <$$@),,@$$(call digest,$$*,build/obj/$(1)/$$*.o $$(call parts,build,$$*)))

$(2:%=build/bin/%): build/bin/%: build/obj/$(1)/%.o $$$$(call parts,build,$$$$*) build/digest/%.o \
    build/lib/libcarom.a build/packages.libs | build/bin/
	$$(info $$()  link    $$@)
	$$(Q)$$(CC) $$(CFLAGS_RELEASE) $$(filter %.o %.a,$$^) @build/packages.libs \
	    -o $$@.tmp && mv $$@.tmp $$@
endef
$(eval $(call digest_rules,experiments,$(EXPERIMENTS)))
$(eval $(call digest_rules,tools,$(TOOLS)))

$(EXPERIMENTS:%=build/digest/%.o) $(TOOLS:%=build/digest/%.o): %.o: %.c
	$(Q)$(CC) $(CFLAGS_RELEASE) $(WARNINGS) -Iinclude -c $< -o $@.tmp && mv $@.tmp $@

# ---------------------------------------------------------------------------------------------- MPI
# `make MPI=1`: the same programs from the same objects, with ranks, so that their records have the
# same bytes. Rank 0 alone writes, so the serial HDF5 serves.
ifneq ($(MPI),)
all: $(EXPERIMENTS:%=build/mpi/bin/%) build/mpi/bin/sweep
endif

build/mpi/packages.cflags build/mpi/packages.libs &: Makefile | build/mpi/ $(BOOTSTRAP)
	$(Q)pkg-config --exists ompi-c || { echo 'Open MPI is not installed: run `make setup-mpi`' >&2; exit 1; }
	$(Q)pkg-config --cflags ompi-c | sed 's/-I */-isystem /g' >build/mpi/packages.cflags
	$(Q)pkg-config --libs ompi-c >build/mpi/packages.libs

$(MPI_SOURCES:%.c=build/mpi/obj/%.o): build/mpi/obj/%.o: %.c build/flags build/mpi/packages.cflags | $$(@D)/
	$(info $()  compile $@)
	$(Q)$(CC) $(CFLAGS_RELEASE) $(VISIBILITY) $(WARNINGS) -Iinclude @build/mpi/packages.cflags \
	    -MMD -MP -MF $(@:.o=.d) -MT $@ -c $< -o $@.tmp && mv $@.tmp $@

$(EXPERIMENTS:%=build/mpi/bin/%): build/mpi/bin/%: build/obj/experiments/%.o $$(call parts,build,$$*)
build/mpi/bin/sweep: build/obj/tools/sweep.o
$(EXPERIMENTS:%=build/mpi/bin/%) build/mpi/bin/sweep: build/mpi/bin/%: build/digest/%.o \
    $(MPI_SOURCES:%.c=build/mpi/obj/%.o) build/lib/libcarom.a build/packages.libs \
    build/mpi/packages.libs | build/mpi/bin/
	$(info $()  link    $@)
	$(Q)$(CC) $(CFLAGS_RELEASE) $(filter %.o,$^) $(filter %.a,$^) @build/packages.libs @build/mpi/packages.libs \
	    -o $@.tmp && mv $@.tmp $@

-include $(MPI_SOURCES:%.c=build/mpi/obj/%.d)

RANKED := block_impact compass_gait box_wall ramone disk_stack impact_problem nonsmooth_modes \
    critical_region billiards newtons_cradle impact_laws trex bouncing_ball contact_problem
check-mpi: $(RANKED:%=build/mpi/bin/%) $(RANKED:%=build/bin/%) build/mpi/bin/sweep \
    build/bin/sweep ## the same records on 1 to 4 ranks, killed ones too (make setup-mpi)
	@tests/mpi/ranks.sh

# --------------------------------------------------------------------------------------------- data
# build/runs/NAME.tsv is the run's line of the manifest and the stamp of the record: the driver
# leaves a record alone whose bytes did not change, and nothing downstream is made again.
# A record that is no longer what its line says is made again.
ifneq ($(filter data figures gallery verify paper check gate data/% figures/% paper/%,$(MAKECMDGOALS)),)
DAMAGED := $(shell tools/damaged_records.sh $(RUNS))
$(foreach name,$(DAMAGED),$(info $(name).h5 is not what was computed: made again))
$(DAMAGED:%=build/runs/%.tsv): FORCE
endif

# The longest first, those that use one core among them, so that no core waits at the end.
LONGEST := disk_stack ramone masonry_arch block_cover compass_gait scheme_errors critical_region woodpecker \
    impact_laws biped_rocking elastic_bar vibrating_table table_restitution block_impact nonsmooth_modes
data: $(filter $(RECORDS),$(LONGEST:%=data/results/%.h5)) $(RECORDS) data/results/MANIFEST.tsv ## run the experiments whose sources changed -> data/results/*.h5

# The commit, of the manifest: asked for once, by the first run.
COMMIT = $(eval COMMIT := $(or $(if $(OUR_GIT),$(shell \
    git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null)),unknown))$(COMMIT)
# $(call run,NAME,COMMAND)
run = $(Q)COMMIT=$(COMMIT) RUNS='$(RUNS)' tools/run_experiment.sh data/results/$(1).h5 build/runs/$(1).tsv $(2)

$(EXPERIMENTS:%=build/runs/%.tsv): build/runs/%.tsv: build/digest/%.c \
    | build/bin/% build/runs/ data/results/
	$(info $()  run     $*)
	$(call run,$*,build/bin/$*)

# The record of a sweep depends on its recipe, on sweep and on the program that it runs.
SWEPT := $(shell awk 'sub("^command = build/bin/", "") { print FILENAME ":" $$0 }' $(SWEEPS:%=data/sweeps/%.txt) /dev/null)
swept = $(patsubst data/sweeps/$(1).txt:%,%,$(filter data/sweeps/$(1).txt:%,$(SWEPT)))
define sweep_rule
build/runs/$(1).tsv: data/sweeps/$(1).txt build/digest/sweep.c build/digest/$(call swept,$(1)).c \
    | build/bin/sweep build/bin/$(call swept,$(1)) build/runs/ data/results/
	$$(info $$()  sweep   $(1))
	$$(call run,$(1),build/bin/sweep --set $$<)
endef
$(foreach name,$(SWEEPS),$(eval $(call sweep_rule,$(name))))

$(SHOWN_SCENES:%=build/runs/%.tsv): build/runs/%.tsv: data/examples/%.scene build/digest/simulate.c \
    | build/bin/simulate build/runs/ data/results/
	$(info $()  run     $*)
	$(call run,$*,build/bin/simulate $<)

# Nothing to do, and no shell for it: whether the record is another is seen by its time.
$(RECORDS): data/results/%.h5: build/runs/%.tsv ;

data/results/MANIFEST.tsv: $(RUNS:%=build/runs/%.tsv) $(RECORDS) | data/results/
	@{ printf 'file\tsha256\tcommit\thost\ttime\tseconds\tpeak_kB\n'; \
	    cat $(RUNS:%=build/runs/%.tsv) /dev/null; } >$@.tmp && mv $@.tmp $@

# ------------------------------------------------------------------------------------------ figures
# A script announces what it draws and what it reads in its head:
#   # figures: KEY-fig01 KEY-fig02        # records: NAME OTHER      (default: its own name)
# $(call figure_rule,SCRIPT,FIGURES,RECORDS)
define figure_rule
ALL_FIGURES += $(foreach figure,$(2),figures/$(figure).pdf figures/$(figure).svg)
$(foreach figure,$(2),figures/$(figure).pdf figures/$(figure).svg) &: $(1) figures/style.gp \
    tools/render_figures.sh build/digest/carom_columns.c $(3:%=data/results/%.h5) | build/bin/carom_columns
	@echo "  draw    $(1)"
	$(Q)tools/render_figures.sh $(1) $(2)
endef
# Read by one process, as words SCRIPT:KIND:NAME.
ANNOUNCED := $(shell awk 'sub("^[^ ] figures: ", "figures: ") || sub("^[^ ] records: ", "records: ") { \
    for (i = 2; i <= NF; i++) print FILENAME ":" $$1 $$i }' $(FIGURE_SCRIPTS) /dev/null)
announced = $(patsubst $(2):$(1):%,%,$(filter $(2):$(1):%,$(ANNOUNCED)))
ALL_FIGURES :=
$(foreach script,$(FIGURE_SCRIPTS),$(eval $(call figure_rule,$(script),$(or \
    $(call announced,figures,$(script)),$(error $(script) announces no figures)),$(or \
    $(call announced,records,$(script)),$(script:figures/%.gp=%)))))

# Renamed whole into place, so that an interrupt takes no older figure away.
.PRECIOUS: $(ALL_FIGURES)

# What users name reaches the script as it is, by the environment.
figure: export RECORD := $(value RECORD)
figure: export EXPERIMENT := $(value EXPERIMENT)
figure: build/bin/carom_columns ## RECORD=my.h5 EXPERIMENT=bouncing_ball: figures of a record of one's own, beside it
	@tools/draw_record.sh

# A picture is added by `touch docs/gallery/FIGURE.png`.
gallery: data build/verify.txt $(patsubst docs/gallery/%.png,figures/%.pdf,$(wildcard docs/gallery/*.png)) ## what the README shows: its pictures (docs/gallery), its lines of make verify
	@tools/gallery.sh docs/gallery
	$(Q)awk 'NR == FNR { printed[$$1] = $$0; next } \
	    /^    [a-z]+-20[0-9][0-9] +[0-9]/ { $$0 = "    " printed[$$1] } { print }' build/verify.txt README.md >build/README.md
	$(Q)cat build/README.md >README.md

# Each scene as a picture, for docs/scenes.md, and played.
scenes: $(SCENES:data/examples/%.scene=build/scenes/%.svg) ## every scene of data/examples -> docs/scenes.md and its pictures; played -> build/scenes/*.svg
	$(Q)tools/scene_page.sh >build/scenes/scenes.md && cat build/scenes/scenes.md >docs/scenes.md

build/scenes/%.svg: data/examples/%.scene build/digest/simulate.c | build/bin/simulate build/scenes/ docs/scenes/
	@echo "  play    $*"
	$(Q)build/bin/simulate $< --quiet --output build/scenes/$*.h5 --plot docs/scenes/$*.svg --animate $@

figures: data $(ALL_FIGURES) ## records, then every figure -> figures/*.pdf and *.svg

# ------------------------------------------------------------------------------- verify and document
# Once, for terminal, document and README; items that fail are in it.
build/verify.txt: $(RECORDS) $(PUBLISHED) data/published build/digest/verify.c | build/bin/verify build/verification/
	$(Q)build/bin/verify --published data/published --results data/results --latex build/verification >$@.tmp \
	    || grep -q ' fail$$' $@.tmp
	@mv $@.tmp $@

verify: data build/verify.txt ## compare every published item with the records; fails if any item fails
	@cat build/verify.txt
	@grep -q ' 0 fail$$' build/verify.txt

# Numbers, verification tables, errata and the order of the sections, as LaTeX.
build/paper/generated.stamp: $(SECTIONS) $(RECORDS) build/verify.txt data/errata.csv build/digest/numbers.c \
    build/digest/errata.c tools/generate_tex.sh tools/order_sections.sh \
    tools/support_table.awk README.md $(wildcard paper/chapters/*.tex) tools/scaling_table.awk data/costs.csv \
    src/study/impacts.h src/impact/impact_sampling.c \
    | build/bin/numbers build/bin/errata build/paper/ paper/generated/
	@echo "  weave   paper/generated"
	$(Q)tools/generate_tex.sh $(SECTIONS:paper/sections/%.tex=%)
	@touch $@

paper/carom.pdf: build/paper/generated.stamp $(wildcard paper/*.tex paper/*.bib paper/chapters/*.tex) \
    $(SECTIONS) $(ALL_FIGURES) $(LIBRARY_SOURCES) $(HEADERS) tests/project/excerpts.sh \
    tools/typeset.sh | build/paper/ $(BOOTSTRAP)
	$(Q)tests/project/excerpts.sh
	@echo "  typeset $@"
	$(Q)tools/typeset.sh

paper: paper/carom.pdf ## figures and verification -> paper/carom.pdf

# ---------------------------------------------------------------------------------------- reference
# What Doxygen warns of fails; the start page is made of the lists of public headers.
build/reference/index.html: docs/Doxyfile tools/reference_filter.awk tools/reference_pages.awk \
    $(HEADERS) examples/README.md | build/reference/ $(BOOTSTRAP)
	@command -v doxygen >/dev/null || { echo 'doxygen is not installed: run `make setup-reference`' >&2; exit 1; }
	@echo "  write   build/reference"
	$(Q)awk -f tools/reference_pages.awk src/carom.h src/models/models.h examples/README.md >build/reference.dox
	$(Q){ cat docs/Doxyfile; echo PROJECT_NUMBER = $(VERSION); \
	    echo INPUT = build/reference.dox $(filter-out src/carom.h src/models/models.h,$(PUBLIC_HEADERS)); \
	} | doxygen -

# What a user calls on systems and records of one's own; the other tools are of this tree.
USER_PROGRAMS := $(EXPERIMENTS) carom_columns sweep simulate animate
MAN_PAGES := $(USER_PROGRAMS:%=build/man/%.1) build/man/carom.7
MAN_DATE = $$(date -u -d @$(SOURCE_DATE_EPOCH) +%F)

$(USER_PROGRAMS:%=build/man/%.1): build/man/%.1: build/bin/% tools/man_page.awk | build/man/
	$(Q)build/bin/$* --help \
	    | awk -v name=$* -v version=$(VERSION) -v date=$(MAN_DATE) -f tools/man_page.awk >$@.tmp && mv $@.tmp $@

# The overview with a line for each page.
build/man/carom.7: docs/carom.7 tools/man_list.awk $(USER_PROGRAMS:%=build/man/%.1)
	@echo "  write   build/man"
	$(Q)awk -v version=$(VERSION) -v date=$(MAN_DATE) -f tools/man_list.awk $(filter-out %.awk,$^) >$@.tmp && mv $@.tmp $@

man: $(MAN_PAGES) ## manual pages of the programs, from their --help -> build/man; man -l build/man/carom.7

reference: build/reference/index.html ## every public function, by subject -> build/reference/index.html

# -------------------------------------------------------------------------------------------- tests
tests: $(TEST_SOURCES:%.c=build/%)
# What is run of a variant: $(call programs_of,DIRECTORY)
programs_of = $(TEST_SOURCES:%.c=$(1)/%) $(EXPERIMENTS:%=$(1)/bin/%) $(addprefix $(1)/bin/,simulate sweep)

check: all tests figures man build/verify.txt ## all tests: Check suites, then tests/project/*.sh
	@tools/run_checks.sh build $(TEST_SOURCES:%.c=build/%) -- $(PROJECT_TESTS)

check-quick: tests ## the Check suites alone, in under a minute on two cores
	@OMP_NUM_THREADS=1 tools/run_checks.sh build/quick $(TEST_SOURCES:%.c=build/%) --

check-contact: build/tests/contact/agreement ## solvers of contact problems against each other on 1e5 problems, some minutes
	$(Q)CAROM_CONTACT_PROBLEMS=100000 CK_FORK=no OMP_NUM_THREADS=1 $<

check-sanitize: $(call programs_of,build/sanitize) ## suites and refusals under ASan and UBSan
	@CK_FORK=no ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 tools/run_checks.sh \
	    build/sanitize $(TEST_SOURCES:%.c=build/sanitize/%) -- tests/project/bad_input.sh

VALGRIND := valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect
check-valgrind: tests ## suites under valgrind
	@CK_FORK=no OMP_NUM_THREADS=2 WRAPPER='$(VALGRIND)' \
	    tools/run_checks.sh build/valgrind $(TEST_SOURCES:%.c=build/%) --

# What the test runs: programs for small records, and carom_columns for their numbers.
PYTHON_PROGRAMS := bouncing_ball nonsmooth_modes impact_problem newtons_cradle biped_rocking carom_columns
check-python: $(PYTHON_PROGRAMS:%=build/bin/%) | $(BOOTSTRAP) ## the reader for Python on small records (make setup-python)
	@$(PYTHON) -c 'import h5netcdf, pytest, xarray' 2>/dev/null || { echo \
	    'h5netcdf, pytest or xarray is not installed for $(PYTHON): run `make setup-python`' >&2; exit 1; }
	@$(PYTHON) -B -m pytest -q -p no:cacheprovider --basetemp=build/check-python tests/python

# What the test draws: scenes, and records of these experiments.
BROWSER_PROGRAMS := simulate animate carom_columns masonry_arch
check-browser: $(BROWSER_PROGRAMS:%=build/bin/%) | $(BOOTSTRAP) ## animations in Chromium: bodies are where the record says (make setup-browser)
	@command -v chromium >/dev/null || { echo 'chromium is not installed: run `make setup-browser`' >&2; exit 1; }
	@$(PYTHON) -B tests/browser/poses.py

coverage: $(call programs_of,build/coverage) ## line and branch coverage of src/
	@find build/coverage -name '*.gcda' -delete
	@tools/run_checks.sh build/coverage $(TEST_SOURCES:%.c=build/coverage/%) -- tests/project/bad_input.sh
	@cd build/coverage && gcovr --root ../.. --filter '../../src/' --exclude-unreachable-branches \
	    --exclude-throw-branches --txt lines.txt .
	@cat build/coverage/lines.txt

build/bench/bench: $(BENCH_SOURCES:%.c=build/obj/%.o) build/lib/libcarom.a build/packages.libs | build/bench/
	$(info $()  link    $@)
	$(Q)$(CC) $(CFLAGS_RELEASE) $(filter %.o %.a,$^) @build/packages.libs -o $@.tmp && mv $@.tmp $@

bench: build/bench/bench ## costs of time steps, modes, impacts and gaits -> terminal and build/bench.json, by commit
	$(Q)OMP_NUM_THREADS=1 tools/bench.sh --measure $<

# The page on scaling reads data/costs.csv: measured where nothing else runs, and copied there by hand.
bench-long: $(addprefix build/bin/,block_impact bouncing_ball sweep carom_columns)
bench-long: $(addprefix build/mpi/bin/,block_impact sweep) ## costs of threads, ranks, checkpoints, rows -> terminal and build/costs.csv
	$(Q)tests/bench/long_work.sh build/costs.csv

bench-compare: ## OLD=commit-or-file: ratios of its costs to those that make bench found last
	@tools/bench.sh --compare '$(OLD)'

bench-peers: $(addprefix build/obj/tests/bench/,measure.o contact.o) build/lib/libcarom.a build/packages.libs ## beside Siconos and ODE, where installed
	$(Q)CC='$(CC)' tools/bench_peers.sh '$(CFLAGS_RELEASE)' $(filter %.o,$^)

gate: data figures build/bin/record_parts ## OLD=tree-or-list: data sets and figures that are other bytes than there
	$(Q)tools/gate.sh '$(OLD)' .

# Not part of `make check`: some hours, resumable (tools/mutants.sh).
mutants: | $(BOOTSTRAP) ## deliberate faults that the tests must notice; MUTANT_JOBS=2, ONLY=pattern, MUTANTS=n, ROWS=1
	$(Q)MUTANT_JOBS='$(MUTANT_JOBS)' ONLY='$(ONLY)' MUTANTS='$(MUTANTS)' ROWS='$(ROWS)' tools/mutants.sh

# Readers of outside text under random input, with clang's fuzzer and the sanitizers (make setup-lint).
FUZZ_SECONDS ?= 60
FUZZED := $(filter-out src/base/lapack.c,$(LIBRARY_SOURCES)) build/obj/src/base/lapack.o
build/fuzz/%: tests/fuzz/%.c $(FUZZED) $(HEADERS) build/packages.cflags build/packages.libs | build/fuzz/
	$(info $()  link    $@)
	$(Q)clang $(LANGUAGE) -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	    -Iinclude @build/packages.cflags $< $(FUZZED) @build/packages.libs -o $@.tmp && mv $@.tmp $@

fuzz: $(FUZZ_SOURCES:tests/fuzz/%.c=build/fuzz/%) ## random input to the readers for FUZZ_SECONDS=60 each
	$(Q)cd build/fuzz && for target in $(FUZZ_SOURCES:tests/fuzz/%.c=%); do \
	    mkdir -p $$target-corpus; \
	    ./$$target -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -verbosity=0 -print_final_stats=1 \
	        $$target-corpus ../../data/examples; \
	done

lint: build/packages.cflags ## formatting, clang-tidy, cppcheck and docstrings (make setup-lint)
	@tools/lint.sh $(LIBRARY_SOURCES) $(EXPERIMENTS:%=experiments/%.c) $(EXPERIMENT_PARTS) $(TOOLS:%=tools/%.c) \
	    $(TEST_SOURCES) $(BENCH_SOURCES) $(FUZZ_SOURCES) $(wildcard examples/*.c)

# ------------------------------------------------------------------------------------------- project
# What users give reaches the scripts as it is, by the environment: no shell and no make reads it.
unexport NAME
new-experiment: export EXPERIMENT_NAME = $(value NAME)
new-experiment: ## NAME=foo: write a small working experiment of that name
	@tools/new_experiment.sh "$$EXPERIMENT_NAME"

install: export PREFIX := $(PREFIX)
install: export DESTDIR := $(DESTDIR)
install: $(USER_PROGRAMS:%=build/bin/%) $(MAN_PAGES)
install: build/lib/libcarom.a build/lib/libcarom.so ## PREFIX=/usr/local: library, programs, manual pages, examples
	@VERSION=$(VERSION) SONAME_VERSION=$(SONAME_VERSION) PROGRAMS='$(USER_PROGRAMS)' \
	    tools/install.sh $(PUBLIC_HEADERS)

dist: paper/carom.pdf ## the last commit and the document -> build/carom-VERSION.tar.gz, the same bytes each time
	@tools/dist.sh carom-$(VERSION) $<

clean: ## remove everything that was made
	rm -rf build data/results paper/generated paper/carom.pdf figures/*.pdf figures/*.svg

help: ## this list
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | sort | expand -t 20
	@echo '  all                 library, experiments and tools (default)'
