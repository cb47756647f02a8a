#!/bin/bash
# Print the name under which pkg-config knows the serial HDF5 library; exit 1 if there is none.
set -euo pipefail

for name in hdf5-serial hdf5; do
    if pkg-config --exists "$name" 2>/dev/null; then
        echo "$name"
        exit 0
    fi
done
exit 1
