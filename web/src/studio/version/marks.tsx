import {boxOf, transformOf} from '../sheet/geometry.ts';
import {pathOf} from '../sheet/orthogonal.ts';
import {scene} from '../sheet/scene.ts';
import {changeOfLine, changes, compared, gone} from './version_state.ts';

const kRoom = 6; // around a component [units]

/** What two versions differ in, by colour: below the components and lines. */
export function Marks() {
  if (compared.value === null) return null;
  const {boxes, lines} = scene.value;
  const {differences} = compared.value;
  return (
    <g class="version-marks">
      {[...changes.value].map(([name, kind]) => {
        const box = boxes.get(name);
        return (
          box && (
            <rect
              key={name}
              class={`version is-${kind}`}
              data-version={name}
              x={box.left - kRoom}
              y={box.top - kRoom}
              width={box.right - box.left + 2 * kRoom}
              height={box.bottom - box.top + 2 * kRoom}
              rx={6}
            >
              <title>{`${name}: ${kind}`}</title>
            </rect>
          )
        );
      })}
      {lines.map((line) => {
        const kind = line.isOwn ? changeOfLine(differences, line) : null;
        return kind && <path key={line.id} class={`version-line is-${kind}`} data-version={line.id} d={pathOf(line.points)} />;
      })}
      <Gone />
    </g>
  );
}

/** What only the other version has. */
function Gone() {
  return (
    <g class="gone">
      {gone.value.lines.map(({from, to, points}) => (
        <path
          key={`${from} ${to}`}
          class="version-line is-removed"
          data-version={`${from} ${to}`}
          d={pathOf(points.map(([x, y]) => ({x, y})))}
        />
      ))}
      {gone.value.nodes.map((node) => {
        const {left, top, right, bottom} = boxOf(node.symbol, {...node, x: 0, y: 0});
        return (
          <g key={node.path} data-path={node.path} transform={`translate(${node.x} ${node.y})`}>
            <title>{`${node.path}: removed`}</title>
            <rect
              class="version is-removed"
              data-version={node.path}
              x={left - kRoom}
              y={top - kRoom}
              width={right - left + 2 * kRoom}
              height={bottom - top + 2 * kRoom}
              rx={6}
            />
            <g class="symbol" transform={transformOf(node)} dangerouslySetInnerHTML={{__html: node.symbol.shapes}} />
            <text class="name" text-anchor="middle" y={bottom + 13}>
              {node.path}
            </text>
          </g>
        );
      })}
    </g>
  );
}
