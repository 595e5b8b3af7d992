#!/usr/bin/env bash
# Makes the pictures of the guides that come from the program again. Drawings by hand stay as they are.
#
#   docs/images/make.sh PROGRAM           PROGRAM is a built davit
#   docs/images/make.sh PROGRAM curves    only what needs no browser
#   docs/images/make.sh PROGRAM pages     only the others
#
# Pictures of pages need Chromium, and the packages of the web tests: WEB_WORK is their folder (default:
# build/release/tests/web, after davit_web_test). The servo needs a folder with Hopsan's model and result,
# HOPSAN_SERVO=FOLDER: cylinder_servo.hmf and cylinder_servo.csv; without it its picture stays.
set -euo pipefail

program=$(readlink -f -- "$1")
images=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
cd -- "$images/../.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

davit() { "$program" "$@" >"$work/said" 2>&1 || { cat "$work/said" >&2; return 1; }; }

# block FILE N: the N-th block of XML of a page.
block() { awk -v n="$2" '/^```xml/ {k++; next} /^```/ {if (k == n) exit; next} k == n' "$1"; }

make_curves() {
  local crane=systems/knuckle_boom_crane.xml lift=systems/lifting_cylinder.xml
  davit graph --symbols "$crane" -o "$images/knuckle_boom_crane_circuit.svg"
  davit run "$crane" --quiet -o "$work/knuckle_boom_crane.csv"
  davit plot "$work/knuckle_boom_crane.csv" 'crane.q?' 'crane.payload_?' '*_lever.y' boom_cylinder.p_a knuckle_cylinder.p_a \
    slew_motor.dp pump.p_out pump.q_out '*_cylinder.level' slew_motor.level -o "$images/knuckle_boom_crane.svg"
  davit run "$lift" --quiet -o "$work/lifting.csv" --plot "$images/lifting_cylinder.svg"
  davit sweep "$lift" --stop '30 s' --vary 'load.weight=60 kN:20 kN:140 kN' --vary 'cylinder.level=Ideal,Standard' \
    --measure 'speed=max(load.v)' --measure 'reserve=350 bar - max(cylinder.p_a)' -o "$work/lifts.csv" \
    --plot "$images/sweep.svg"
  davit optimize "$crane" --stop '45 s' -o "$work/sizing.csv" --plot "$images/sizing.svg" --budget 120 \
    --vary 'boom_cylinder.bore=260 mm:400 mm' --vary 'pump.displacement=60 cm3/rev:200 cm3/rev' \
    --measure 'time_of_lift=crossing(crane.q1, 45 deg)' --measure 'pump_power=max(pump.p_out * pump.q_out)' \
    --minimize time_of_lift --minimize pump_power --subject-to 'max(boom_cylinder.p_a) <= 150 bar'
  davit sensitivity systems/mass_spring.xml --stop '3 s' --of 'final(load.x)' --of 'rms(load.x)' --to load.mass \
    --to spring.stiffness --to damper.coefficient --to load.x -o "$work/slopes.csv" --plot "$images/tornado.svg"
  davit linearize systems/mass_spring_equations.xml --inputs load.F --outputs load.x --bode "$images/linearize_bode.svg"
  davit linearize systems/mass_spring.xml --vary 'damper.coefficient=0:10 N.s/m:150 N.s/m' \
    --poles "$images/root_locus.svg"
  ./davit python benchmarks/level_additivity.py "$images/level_additivity.svg"
  davit run systems/level_switching.xml --quiet -o "$work/level_switching.csv"
  davit plot "$work/level_switching.csv" load.x cylinder.p_a cylinder.level pump.level dcv.level \
    -o "$images/level_switch.svg"
  davit run systems/water_hammer.xml --quiet --set supply.pressure='20 bar' --set line.p='20 bar' --stop '0.17 s' \
    --signals 'valve.p line.void_volume' -o "$work/column_separation.csv"
  davit plot "$work/column_separation.csv" -o "$images/cavitation.svg"

  davit sweep systems/marine/subsea_lift.xml --stop '60 s' --set 'lever.to=0 m/s' --vary 'sea.significant_height=1 m:1 m:5 m' \
    --vary 'sea.peak_period=6 s:2 s:14 s' --measure 'load_motion=rms(time gt 20 s ? load.v : 0 m/s)' -o "$work/window.csv" \
    --plot "$images/weather_window.svg"

  davit graph systems/marine/crane_subsea_lift.xml --scene crane --time '30 s' -o "$images/subsea_crane.svg"
  local machine component time
  while read -r machine component time; do
    davit graph "systems/$machine.xml" --scene "$component" --time "$time" -o "$images/mechanism_$machine.svg"
  done <<'MACHINES'
excavator arm 11.6 s
wheel_loader loader 6 s
stewart_platform hexapod 3 s
a_frame stern 20 s
forestry_crane crane 8 s
MACHINES

  block README.md 1 >"$work/charge.xml"
  davit run "$work/charge.xml" --quiet -o "$work/charge.csv" --plot "$images/readme_charge.png"
  { block docs/tutorial-pid.md 1 | grep -v '</System>'; block docs/tutorial-pid.md 2; echo '</System>'; } >"$work/servo.xml"
  for kp in 20 60; do
    davit run "$work/servo.xml" --quiet --set reference.duration='0 s' --set reference.to='35 cm' --set pid.kp=$kp \
      -o "$work/step_$kp.csv"
  done
  davit plot "$work/step_20.csv" "$work/step_60.csv" load.x valve.spool_x -o "$images/tutorial_pid_steps.png"

  [[ -n ${HOPSAN_SERVO:-} ]] || return 0
  davit run "$HOPSAN_SERVO/cylinder_servo.hmf" --hopsan-names -o "$work/davit.csv"
  cp "$HOPSAN_SERVO/cylinder_servo.csv" "$work/Hopsan.csv"
  /usr/bin/python3 - "$work" <<'PYTHON'
import csv
import sys

folder, name = sys.argv[1], "mass#P2#Position"
rows = [list(csv.DictReader(open(f"{folder}/{file}.csv"))) for file in ("davit", "Hopsan")]
with open(f"{folder}/difference.csv", "w") as file:
    file.write("time,davit - Hopsan\n")
    file.writelines(f"{a['time']},{(float(a[name]) - float(b[name])) * 1e6}\n" for a, b in zip(*rows))
with open(f"{folder}/difference.csv.units", "w") as file:
    file.write("path,unit\ndavit - Hopsan,micron\n")
PYTHON
  davit plot "$work/davit.csv" "$work/Hopsan.csv" "$work/difference.csv" 'ref#out#Value' 'mass#P2#Position' 'davit - Hopsan' \
    'cyl#P3#Force' 'pump#P2#Pressure' -o "$images/hopsan_servo.svg"
}

make_pages() {
  local web=${WEB_WORK:-$root/build/release/tests/web}/davit/web
  [[ -d $web/node_modules/playwright-core ]] || { echo "no packages of the web tests in $web" >&2; return 1; }
  cp -r "$root/web/test" "$web"
  export DAVIT=$program CHROMIUM=${CHROMIUM:-$(command -v chromium)} WEB_FOLDER=$root SCREENSHOTS=$work/pages
  mkdir "$SCREENSHOTS"
  (cd "$web" && node test/browser/pictures.mjs && node test/browser/guide_test.mjs >"$work/said")
  mv "$SCREENSHOTS/guide_drawn.png" "$SCREENSHOTS/studio_first.png"
  # As many colours as the pages have; a third of the bytes.
  /usr/bin/python3 - "$SCREENSHOTS" "$images" <<'PYTHON'
import sys
from pathlib import Path

from PIL import Image

for file in sorted(Path(sys.argv[1]).glob("*.png")):
    target = Path(sys.argv[2]) / file.name
    if target.exists():
        Image.open(file).convert("RGB").quantize(192, dither=Image.Dither.NONE).save(target, optimize=True)
PYTHON
}

[[ ${2:-} == pages ]] || make_curves
[[ ${2:-} == curves ]] || make_pages
