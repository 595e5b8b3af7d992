#!/usr/bin/env bash
# Tries build/packages in a clean Debian root without compiler: installs the packages with apt, runs what a user would, compares
# results with those of the build, and removes all of it. Then the wheel, in a virtual environment. Needs root, mmdebstrap and a
# network; stops at the first command that fails.
#
#   ./davit package && packaging/try_in_debian.sh             Debian 12
#   packaging/try_in_debian.sh ROOT.tar                       another root, such as one of Ubuntu
set -aeuo pipefail  # -a: try starts functions in a shell of their own, where -e works
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")

# try WHAT COMMAND...: shows the output only where the command fails.
log=/try/log
try() {
  if ! bash -euo pipefail -c '"$@"' try "${@:2}" >"$log" 2>&1; then
    cat "$log"
    echo "FAILED: $1"
    exit 1
  fi
  echo "ok: $1"
}

install() { apt-get -q install -y --no-install-recommends "$@"; }
has_no_compiler() { ! command -v cc c++ gcc g++ clang cmake make; }

# The first system of the README, as a reader types it.
first_system() {
  sed -n '/^```xml/,/^```$/p' clone/README.md | sed '1d;$d' >charge.xml
  davit run charge.xml -o charge.csv && test -s charge.csv
}
all_systems() {
  local file name
  for file in /usr/share/davit/systems/*.xml; do
    name=$(basename "$file" .xml)
    davit check "$file"
    davit run "$file" -o "$name.csv"
    cmp "$name.csv" "expected/$name.csv"
  done
}
fmus() {
  export DAVIT_FMU_CACHE=$PWD/cache
  davit fmu export /usr/share/davit/systems/mass_spring.xml -o spring.fmu
  davit fmu check spring.fmu
  davit run spring.fmu -o spring_fmu.csv
  echo '<System name="s" xmlns="urn:davit:system:1"><SimulatorManager TimeStep="20 ms" StopTime="1 s"/>
    <fmi.Fmu name="spring" file="spring.fmu"/></System>' >imported.xml
  davit run imported.xml -o imported.csv
}
pictures() {
  davit run charge.xml --plot charge.svg && davit plot charge.csv accumulator.p -o charge.png
  davit graph charge.xml -o graph.svg && davit graph --symbols charge.xml -o circuit.svg
  test -s charge.svg -a -s charge.png -a -s graph.svg -a -s circuit.svg
}
# pages COMMAND...: a server on the loopback that gives its page and ends when it is told.
pages() {
  local server i
  "$@" --port 18123 >server.log 2>&1 &
  server=$!
  for ((i = 0; i < 40; ++i)); do
    python3 -c 'import urllib.request
page = urllib.request.urlopen("http://127.0.0.1:18123/").read().decode()
assert "<script" in page, page' 2>page.log && break
    sleep 0.5
  done
  kill "$server"
  wait "$server" || true
  ((i < 40)) || { cat server.log page.log; return 1; }
}
processes() {
  local sweep=(davit sweep /usr/share/davit/systems/mass_spring.xml --vary load.mass=8:1:12 --measure 'low=min(load.x)')
  "${sweep[@]}" -o alone.csv
  mpirun --allow-run-as-root --oversubscribe -n 2 "${sweep[@]}" -o together.csv
  cut -d , -f 1-4 alone.csv >alone && cut -d , -f 1-4 together.csv | cmp - alone
}
leaves_nothing() {
  apt-get -q purge -y davit davit-mpi python3-davit
  find / -xdev \( -path /try -o -path /proc \) -prune -o -name '*davit*' -print | tee left
  test ! -s left
}
wheel_needs() { sed -n 's/.*`sudo apt install \(libduktape[^`]*\)`.*/\1/p' clone/docs/install.md; }
wheel() {
  apt-get -q autoremove -y --purge
  install $(wheel_needs)
  python3 -m venv --system-site-packages env
  env/bin/pip install --no-index --no-deps davit-*.whl
}
# The programs of docs/python.md, with what the page says that they print, and the examples.
python_page() {
  cd /try/clone
  "$1" - <<'END'
import pathlib, re, subprocess, sys
page = pathlib.Path("docs/python.md").read_text()
programs = re.findall(r"```sh\ncat > (\S+) <<'END'\n(.*?)\nEND\n.*?```\n\n```text\n(.*?)```", page, re.S)
assert len(programs) >= 5
for name, code, answer in programs:
    pathlib.Path(name).write_text(code)
    done = subprocess.run([sys.executable, name], capture_output=True, text=True)
    print(name, done.stdout, done.stderr)
    assert done.returncode == 0 and all(line in done.stdout for line in answer.splitlines()), name
for example in sorted(pathlib.Path("python/examples").glob("*.py")):
    subprocess.run([sys.executable, example], check=True)
END
}

inside() {
  cd /try
  export DEBIAN_FRONTEND=noninteractive HOME=/try/home
  mkdir home
  try "the root has no compiler" has_no_compiler
  try "apt-get update" apt-get -q update
  try "apt installs davit" install ./davit_*.deb
  echo "$(grep -c '^Setting up' "$log") packages, $(grep -E '^After this' "$log")"
  try "davit --version" davit --version
  try "the first system of the README" first_system
  try "all systems: the bytes of the build" all_systems
  try "FMUs: export, check, run, as a component" fmus
  try "apt installs gnuplot-nox, graphviz and the other packages" install gnuplot-nox graphviz ./davit-mpi_*.deb ./python3-davit_*.deb
  try "pictures" pictures
  try "davit serve" pages davit serve charge.xml
  try "davit studio" pages davit studio .
  try "mpirun" processes
  try "python3: docs/python.md and the examples" python_page /usr/bin/python3
  try "apt removes all of it" leaves_nothing
  try "the wheel in a virtual environment" wheel
  try "the wheel: docs/python.md and the examples" python_page /try/env/bin/python
  try "the root still has no compiler" has_no_compiler
}

if [[ ${1-} == inside ]]; then
  inside
  exit
fi
source=$(dirname -- "$here")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
if [[ ${1-} ]]; then
  tar -xpf "$1" -C "$root"
else
  mmdebstrap --quiet --variant=minbase bookworm "$root"
fi
mkdir -p "$root/try/clone/python" "$root/try/expected"
cp "$source"/build/packages/*.{deb,whl} "$here/try_in_debian.sh" "$root/try"
cp -r "$source"/{README.md,docs,systems} "$root/try/clone"
cp -r "$source/python/examples" "$root/try/clone/python"
for system in "$source"/systems/*.xml; do
  "$source/build/release/bin/davit" run --quiet "$system" -o "$root/try/expected/$(basename "$system" .xml).csv"
done
cp /etc/resolv.conf "$root/etc/resolv.conf"
unshare --mount --pid --fork bash -c 'mount -t proc proc "$0/proc" && mount -t sysfs -o ro sys "$0/sys" && mount --rbind /dev "$0/dev" &&
  exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 ${http_proxy+http_proxy="$http_proxy"} \
  bash /try/try_in_debian.sh inside' "$root"
grep . "$root/etc/os-release" | head -1
