// Lines of the drawing: colour by pressure, and dashes that move with the flow. Vessels are filled with that colour.
import {values} from '../../live/session.ts';
import {colorOf} from './pressure_scale.ts';
import {pressureRange, sawPressure} from './shown_scale.ts';

const kRate = 12; // samples a second
const kFastest = 90; // speed of the dashes at the largest flow [units of the drawing a second]
const kPeriod = 14; // of dashes, see drawing.css
const kStill = 0.002; // of the largest flow: no dashes
const kSeen = 3; // of a period on the screen: shorter dashes are not drawn [px]

interface Line {
  path: SVGElement;
  isVessel: boolean;
  dashes?: SVGPathElement;
  isMoving?: boolean;
  effort?: number;
  painted?: number;
  flow: number;
  offset: number;
}

export class Lines {
  private readonly lines: Line[] = [];
  private readonly ends: (() => void)[] = [];
  private largestFlow = 1e-6;
  private largestPressure = 0;
  private range = pressureRange.peek();

  constructor(private readonly svg: SVGSVGElement) {
    for (const path of svg.querySelectorAll<SVGPathElement>('path.line')) this.add(path, false);
    for (const vessel of svg.querySelectorAll<SVGElement>('.vessel[data-effort]')) this.add(vessel, true);
  }

  dispose(): void {
    for (const end of this.ends) end();
  }

  /** One frame; the dashes move on by dt seconds. */
  draw(dt: number): void {
    sawPressure(this.largestPressure);
    const isNewRange = this.range.high !== pressureRange.peek().high;
    this.range = pressureRange.peek();
    const areSeen = kPeriod * (this.svg.getScreenCTM()?.a ?? 0) >= kSeen;
    for (const line of this.lines) {
      if (line.effort !== undefined && (isNewRange || line.effort !== line.painted)) {
        const color = colorOf(line.effort, this.range);
        if (line.isVessel) line.path.style.fill = `color-mix(in srgb, ${color} 55%, var(--fill))`;
        else line.path.style.stroke = color;
        line.painted = line.effort;
      }
      if (!line.dashes) continue;
      const share = line.flow / this.largestFlow;
      const isMoving = areSeen && Math.abs(share) >= kStill;
      if (isMoving !== line.isMoving) line.dashes.style.visibility = isMoving ? 'visible' : 'hidden';
      line.isMoving = isMoving;
      if (!isMoving) continue;
      // The root keeps small flows visible beside large ones.
      line.offset = (line.offset - Math.sign(share) * Math.sqrt(Math.abs(share)) * kFastest * dt) % kPeriod;
      line.dashes.style.strokeDashoffset = String(line.offset);
    }
  }

  private add(path: SVGElement, isVessel: boolean): void {
    const line: Line = {path, isVessel, flow: 0, offset: 0};
    const {effort, flow} = path.dataset;
    const isHydraulic = isVessel || path.classList.contains('hydraulic');
    if (isHydraulic && effort) {
      this.ends.push(
        values.watch(
          effort,
          (value) => {
            if (typeof value !== 'number') return;
            line.effort = value;
            this.largestPressure = Math.max(this.largestPressure, value);
          },
          kRate,
        ),
      );
    }
    if (isHydraulic && flow && path instanceof SVGPathElement) {
      line.dashes = path.cloneNode(false) as SVGPathElement;
      line.dashes.removeAttribute('id');
      line.dashes.setAttribute('class', 'flow');
      line.dashes.style.visibility = 'hidden';
      path.after(line.dashes);
      this.ends.push(
        values.watch(
          flow,
          (value) => {
            if (typeof value !== 'number') return;
            line.flow = value;
            this.largestFlow = Math.max(this.largestFlow, Math.abs(value));
          },
          kRate,
        ),
      );
    }
    if (effort || flow) this.lines.push(line);
  }
}
