// Lines of the drawing: colour by pressure, and dashes that move with the flow.
import {values} from '../../live/session.ts';
import {colorOf, niceCeiling, type Range} from './pressure_scale.ts';

const kRate = 12;  // samples a second
const kFastest = 90;  // speed of the dashes at the largest flow [units of the drawing a second]
const kPeriod = 14;  // of dashes, see drawing.css
const kStill = 0.002;  // of the largest flow: no dashes

interface Line {
  path: SVGPathElement;
  dashes?: SVGPathElement;
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
  /** Of the legend [Pa]. */
  range: Range = {low: 0, high: 1e5};

  constructor(svg: SVGSVGElement, private readonly ranged: (range: Range) => void) {
    for (const path of svg.querySelectorAll<SVGPathElement>('path.line')) this.add(path);
  }

  dispose(): void {
    for (const end of this.ends) end();
  }

  /** One frame; the dashes move on by dt seconds. */
  draw(dt: number): void {
    const isNewRange = this.largestPressure > this.range.high;
    if (isNewRange) {
      this.range = {low: 0, high: niceCeiling(this.largestPressure)};
      this.ranged(this.range);
    }
    for (const line of this.lines) {
      if (line.effort !== undefined && (isNewRange || line.effort !== line.painted)) {
        line.path.style.stroke = colorOf(line.effort, this.range);
        line.painted = line.effort;
      }
      if (!line.dashes) continue;
      const share = line.flow / this.largestFlow;
      const isStill = Math.abs(share) < kStill;
      line.dashes.style.visibility = isStill ? 'hidden' : 'visible';
      if (isStill) continue;
      // The root keeps small flows visible beside large ones.
      line.offset = (line.offset - Math.sign(share) * Math.sqrt(Math.abs(share)) * kFastest * dt) % kPeriod;
      line.dashes.style.strokeDashoffset = String(line.offset);
    }
  }

  private add(path: SVGPathElement): void {
    const line: Line = {path, flow: 0, offset: 0};
    const {effort, flow} = path.dataset;
    const isHydraulic = path.classList.contains('hydraulic');
    if (isHydraulic && effort) {
      this.ends.push(values.watch(effort, (value) => {
        if (typeof value !== 'number') return;
        line.effort = value;
        this.largestPressure = Math.max(this.largestPressure, value);
      }, kRate));
    }
    if (isHydraulic && flow) {
      line.dashes = path.cloneNode(false) as SVGPathElement;
      line.dashes.removeAttribute('id');
      line.dashes.setAttribute('class', 'flow');
      line.dashes.style.visibility = 'hidden';
      path.after(line.dashes);
      this.ends.push(values.watch(flow, (value) => {
        if (typeof value !== 'number') return;
        line.flow = value;
        this.largestFlow = Math.max(this.largestFlow, Math.abs(value));
      }, kRate));
    }
    if (effort || flow) this.lines.push(line);
  }
}
