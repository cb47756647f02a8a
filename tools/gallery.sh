#!/bin/bash
# Draw the pictures that docs/gallery has into a folder, each as PNG from the PDF of the figure of its
# name, and say with what: where that is the same, so are the bytes.
# usage: tools/gallery.sh FOLDER
set -euo pipefail

for picture in docs/gallery/*.png; do
    figure=$(basename "$picture" .png)
    # 1000 pixels for the width of a page, shown at half to two thirds of that.
    pdftocairo -png -r 144 -singlefile "figures/$figure.pdf" "$1/$figure.tmp"
    mv "$1/$figure.tmp.png" "$1/$figure.png"
done
{ gnuplot --version; pdftocairo -v 2>&1 | sed -n 1p; uname -m; } >"$1/drawn-with.txt"
