#!/usr/bin/env bash
# run.sh STEP: a test of the web page, see CMakeLists.txt. Ends with 77 where something that it needs cannot be had.
#
# WEB_FOLDER: of the repository; WEB_WORK: a folder for copies and packages; DAVIT: the program; CHROMIUM: may be empty.
set -euo pipefail

skip() { printf 'skipped: %s\n' "$*"; exit 77; }

copy=$WEB_WORK/davit/web
command -v node >/dev/null && command -v npm >/dev/null || skip "node and npm are not installed"
[[ $1 == packages || -e $copy/node_modules/.installed ]] || skip "the packages of web/package-lock.json could not be installed"

case $1 in
  packages)
    # The folder of the sources stays as it is.
    mkdir -p "$copy" "$WEB_WORK/davit/"{server,drawing}
    rm -rf "$copy"/{src,test}
    cp -r "$WEB_FOLDER"/web/{src,test,package.json,package-lock.json,build.mjs,tsconfig.json,biome.jsonc} "$copy"
    cp "$WEB_FOLDER/server/studio_api.proto" "$WEB_WORK/davit/server"
    cp -r "$WEB_FOLDER/drawing/styles" "$WEB_WORK/davit/drawing"
    cd "$copy"
    cmp -s package-lock.json node_modules/.installed && exit
    rm -rf node_modules
    npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1 --fetch-timeout=20000 ||
      skip "npm could not install the packages of web/package-lock.json"
    cp package-lock.json node_modules/.installed
    ;;
  style) cd "$copy" && npm run --silent style ;;
  types) cd "$copy" && npm run --silent check ;;
  units) cd "$copy" && npm test --silent ;;
  browser)
    [[ -n $CHROMIUM ]] || skip "chromium is not installed"
    export SCREENSHOTS=$WEB_WORK/screenshots
    mkdir -p "$SCREENSHOTS"
    cd "$copy"
    failed=()
    for file in test/browser/*_test.mjs; do
      node "$file" || failed+=("$file")
    done
    ((${#failed[@]} == 0)) || { echo "failed: ${failed[*]}"; exit 1; }
    ;;
esac
