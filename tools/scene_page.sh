#!/bin/bash
# The page that shows every scene of data/examples, each with the comment at its beginning.
# usage: tools/scene_page.sh >docs/scenes.md
set -euo pipefail

cat <<'PAGE'
# The scenes of data/examples

Each is a [text file](scene.md) of a few lines, moved by `build/bin/simulate`. `make scenes` draws them, by
`--plot`: dashed the start, filled the end, thin the ways of the bodies' frames, red the impacts; and
`--animate` into `build/scenes`, to be opened in a browser. This page is made by it too.
PAGE
for scene in data/examples/*.scene; do
    name=$(basename "$scene" .scene)
    printf '\n## %s\n\n' "${name//_/ }"
    awk '!/^#/ { exit } { sub(/^# ?/, ""); print }' "$scene"
    printf '\n    build/bin/simulate data/examples/%s.scene --animate %s.svg\n\n' "$name" "$name"
    printf '![%s](scenes/%s.svg)\n' "${name//_/ }" "$name"
done
