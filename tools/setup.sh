#!/bin/bash
# Install the named Debian packages that are missing. Quick and silent about what is already there.
# On other systems: say what is missing.
# usage: tools/setup.sh PACKAGE...
set -euo pipefail

# No apt-get: check for the commands and libraries themselves.
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    missing=()
    for command in gcc pkg-config gnuplot h5dump ncdump pdffonts; do
        command -v "$command" >/dev/null || missing+=("$command")
    done
    for library in gsl check; do
        pkg-config --exists "$library" 2>/dev/null || missing+=("$library")
    done
    "$(dirname "$0")/find_hdf5.sh" >/dev/null || missing+=(hdf5)
    echo '#include <suitesparse/cs.h>' | gcc -E - >/dev/null 2>&1 || missing+=(cxsparse)
    for archive in lapack/liblapack.a blas/libblas.a; do
        [[ -e $(gcc -print-file-name="$archive" 2>/dev/null) ]] || missing+=("$archive")
    done
    if ((${#missing[@]} == 0)); then
        echo "setup: compiler, libraries and figure tools are installed"
        exit 0
    fi
    echo "setup: this system has no apt-get. Missing: ${missing[*]}." >&2
    echo "setup: please install the equivalents of these Debian packages: $*" >&2
    exit 1
fi

is_installed() {
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

missing=()
for package in "$@"; do
    is_installed "$package" || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
    exit 0
fi

as_root=()
if ((EUID != 0)); then
    command -v sudo >/dev/null || {
        echo "setup: please install as root: apt-get install ${missing[*]}" >&2
        exit 1
    }
    as_root=(sudo)
fi
echo "setup: installing ${missing[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
