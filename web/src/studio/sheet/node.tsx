import {memo} from 'preact/compat';
import {kGrid, turned, transformOf, boxOf} from './geometry.ts';
import type {SceneNode} from './scene.ts';

interface Props {
  node: SceneNode;
  isChosen: boolean;
  /** Who else has selected it: `anna, Guest 2`, or empty. */
  others: string;
  dx: number;
  dy: number;
  fault: string;
  isWarning: boolean;
  /** Too small to be read: its outline is enough. */
  isFar: boolean;
}

/** A component on the sheet. */
export const Node = memo(
  ({node, isChosen, others, dx, dy, fault, isWarning, isFar}: Props) => {
    const {path, place, symbol, label, isOwn, isUnknown} = node;
    const size = boxOf(symbol, {...place, x: 0, y: 0});
    const badge = symbol.badge ? turned(symbol.badge[0], symbol.badge[1], place) : {x: size.right + 6, y: size.top + 6};
    const name = path.slice(path.lastIndexOf('.') + 1);
    if (isFar) {
      return (
        <rect
          class={`component far ${isChosen ? 'is-selected' : ''} ${fault ? 'has-fault' : ''}`}
          data-path={path}
          data-owner={node.owner}
          x={place.x + dx + size.left}
          y={place.y + dy + size.top}
          width={size.right - size.left}
          height={size.bottom - size.top}
        />
      );
    }
    const access = isOwn && {
      tabindex: 0,
      role: 'button' as const,
      // What is seen in it, in this order, and what it is.
      'aria-label': [path, ...symbol.texts.map(({text}) => text), node.level?.[0] ?? '', `(${node.model})`].join(' '),
      'aria-pressed': isChosen,
    };
    return (
      <g
        class={`component ${isChosen ? 'is-selected' : ''} ${isOwn ? '' : 'is-inner'} ${fault ? 'has-fault' : ''}`}
        data-path={path}
        data-owner={node.owner}
        data-model={node.model}
        {...access}
        transform={`translate(${place.x + dx} ${place.y + dy})`}
      >
        <title>{fault ? `${node.title}\n${fault}` : node.title}</title>
        <rect class="hit" x={size.left} y={size.top} width={size.right - size.left} height={size.bottom - size.top} />
        <g class="symbol" transform={transformOf(place)} dangerouslySetInnerHTML={{__html: symbol.shapes}} />
        <text class="name" text-anchor={label.begins ? 'start' : 'middle'} x={label.x} y={label.y}>
          {`${name} `}
        </text>
        {symbol.texts.map((word, index) => {
          const at = turned(word.x, word.y, place);
          return (
            <text key={index} class="inner" font-size={word.size} x={at.x} y={at.y}>
              {`${word.text} `}
            </text>
          );
        })}
        {isUnknown && (
          <text class="inner" font-size={10} x={0} y={0}>
            {node.model}
          </text>
        )}
        {others && (
          <g class="of-others">
            <rect
              x={size.left - kGrid}
              y={size.top - kGrid}
              width={size.right - size.left + 2 * kGrid}
              height={size.bottom - size.top + 2 * kGrid}
              rx={4}
            />
            <text x={size.right + kGrid + 4} y={size.top}>
              {others}
            </text>
          </g>
        )}
        {isChosen && (
          <rect
            class="chosen"
            x={size.left - kGrid / 2}
            y={size.top - kGrid / 2}
            width={size.right - size.left + kGrid}
            height={size.bottom - size.top + kGrid}
            rx={3}
          />
        )}
        {fault && (
          <path class={`fault-mark ${isWarning ? 'is-warning' : ''}`} d={`M${size.left - 2} ${size.top - 12}l7 12h-14z`} />
        )}
        {node.level && (
          <g class={`level-badge is-${node.level.toLowerCase()}`} transform={`translate(${badge.x} ${badge.y})`}>
            <rect x={-6} y={-6} width={12} height={12} rx={3} />
            <text class="inner" x={0} y={0.5}>
              {node.level[0]}
            </text>
          </g>
        )}
      </g>
    );
  },
  (a, b) =>
    a.isChosen === b.isChosen &&
    a.others === b.others &&
    a.isFar === b.isFar &&
    a.dx === b.dx &&
    a.dy === b.dy &&
    a.fault === b.fault &&
    a.isWarning === b.isWarning &&
    isSame(a.node, b.node),
);

function isSame(a: SceneNode, b: SceneNode): boolean {
  return (
    a === b ||
    (a.path === b.path &&
      a.model === b.model &&
      a.level === b.level &&
      a.title === b.title &&
      a.isUnknown === b.isUnknown &&
      a.place.x === b.place.x &&
      a.place.y === b.place.y &&
      a.place.rotation === b.place.rotation &&
      a.place.mirror === b.place.mirror &&
      a.label.x === b.label.x &&
      a.label.y === b.label.y &&
      a.symbol.shapes === b.symbol.shapes &&
      a.symbol.texts.length === b.symbol.texts.length &&
      a.symbol.texts.every(({text}, i) => text === b.symbol.texts[i]!.text))
  );
}
