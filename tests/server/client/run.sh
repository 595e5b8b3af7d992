#!/usr/bin/env bash
# run.sh STEP: tests of davit serve with clients of other makers, see tests/server/CMakeLists.txt. `packages` fetches them;
# any other step is the name of a test here. Ends with 77 where something that it needs cannot be had.
#
# CLIENT_WORK: a folder for copies and packages; DAVIT: the program; DAVIT_SOURCE_DIR: the repository; DAVIT_OPCUA: a folder in
# which npm has installed the packages of io/opcua, which are too many (65 MB) to be fetched for a test.
set -euo pipefail

skip() { printf 'skipped: %s\n' "$*"; exit 77; }

here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
command -v node >/dev/null && command -v npm >/dev/null || skip "node and npm are not installed"

if [[ $1 == packages ]]; then
  # The folder of the sources stays as it is.
  mkdir -p "$CLIENT_WORK"
  cp "$here"/{*.mjs,*.xml,package.json,package-lock.json} "$CLIENT_WORK"
  cd "$CLIENT_WORK"
  cmp -s package-lock.json node_modules/.installed && exit
  rm -rf node_modules
  # A network that is too slow must not use up the time of ctest.
  timeout --kill-after=10 240 npm ci --ignore-scripts --omit=optional --no-audit --no-fund --prefer-offline --fetch-retries=1 --fetch-timeout=20000 ||
    skip "npm could not install the packages of package-lock.json"
  cp package-lock.json node_modules/.installed
else
  [[ -e $CLIENT_WORK/node_modules/.installed ]] || skip "the packages of package-lock.json could not be installed"
  [[ $1 != opcua || -e ${DAVIT_OPCUA:-}/node_modules/node-opcua ]] || skip "DAVIT_OPCUA names no folder with the packages of io/opcua"
  cd "$CLIENT_WORK" && exec node --test "$1_test.mjs"
fi
