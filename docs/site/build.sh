#!/usr/bin/env bash
# Builds davit's documentation as static HTML: build/docs/index.html. `./davit docs` calls it.
#
#   docs/site/build.sh PROGRAM     PROGRAM is a built davit
#
# build/docs_source: all pages as Markdown (guides, and the reference that davit writes) with the API that Doxygen
# makes from the public headers, that of the Python module from its docstrings, and drawings of the example systems; MkDocs
# turns it into build/docs. A warning, or a link that leads nowhere, is an error. Needs no network, and neither do the pages.
set -euo pipefail

program=$(readlink -f -- "$1")
site=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
cd -- "$site/../.."
readonly source=build/docs_source pages=build/docs
export PYTHONDONTWRITEBYTECODE=1  # nothing is written beside the scripts

rm -rf "$source"
mkdir -p "$source"
"$program" reference -o "$source/reference" >/dev/null
mkdir -p "$source/source/systems" "$source/gallery"
for system in systems/*.xml; do
  picture=$source/gallery/$(basename "$system" .xml)
  "$program" graph "$system" -o "$source/source/$system.svg" >/dev/null
  # A drawing of one or two blocks says nothing, a column of many is too small: then the curves.
  drawn=$("$program" graph --symbols "$system" -o "$picture.svg")
  read -r width height < <(sed -nE 's/.* width="([0-9]+)[^"]*" height="([0-9]+).*/\1 \2/p;/<title>/q' "$picture.svg")
  if [[ $drawn =~ ": "[12]" component" ]] || ((height > 2 * width)); then
    "$program" run --quiet "$system" -o "$source/curves.csv" --plot "$picture.svg" >"$source/curves.log" 2>&1 || {
      cat "$source/curves.log" >&2
      exit 1
    }
  fi
done
rm -f "$source"/curves.*
DAVIT_VERSION=$("$program" --version | cut -d " " -f 2)
export DAVIT_VERSION
doxygen docs/site/Doxyfile
module=$(dirname -- "$program")/../python/davit
[[ -e $module/_core.pyi ]] || module=python/davit  # the page then lacks what only the compiled part has
/usr/bin/env python3 docs/site/python_api.py "$module" "$source/reference/python.md"
/usr/bin/env python3 docs/site/stage.py "$source" build/docs_api.tag
if ! log=$(mkdocs build --strict --config-file docs/site/mkdocs.yml 2>&1); then
  sed -e 's/\x1b\[[0-9;]*m//g' -e '/^INFO/d' -e '/^  - /d' <<<"$log" >&2  # without colors and what is no fault
  exit 1
fi
/usr/bin/env python3 docs/site/check_links.py "$pages"
echo "$PWD/$pages/index.html"
