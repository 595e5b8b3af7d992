// The directions of x, y and z, as the camera sees them.
import type {Quaternion} from 'three';
import type {RefObject} from 'preact';

const kLength = 20; // px

export function Triad({svg}: {svg: RefObject<SVGSVGElement>}) {
  return (
    <svg ref={svg} class="triad" viewBox="-30 -30 60 60" role="img" aria-label="Directions">
      {['x', 'y', 'z'].map((axis) => (
        <g key={axis} class={`is-${axis}`}>
          <line />
          <text>{axis}</text>
        </g>
      ))}
    </svg>
  );
}

/** `camera`: its turn from looking along -z with y up. */
export function turnTriad(svg: SVGSVGElement, {x, y, z, w}: Quaternion): void {
  // Rows of the turn: right and up of the camera, seen from the world.
  const right = [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)];
  const up = [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)];
  [...svg.children].forEach((group, axis) => {
    const [toX, toY] = [right[axis]!, -up[axis]!];
    const [line, text] = [group.children[0]!, group.children[1]!];
    line.setAttribute('x2', String(kLength * toX));
    line.setAttribute('y2', String(kLength * toY));
    text.setAttribute('x', String((kLength + 6) * toX));
    text.setAttribute('y', String((kLength + 6) * toY));
  });
}
