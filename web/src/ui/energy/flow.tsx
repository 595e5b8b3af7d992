import {useEffect, useRef, useState} from 'preact/hooks';
import type {EnergyBalance, EnergyBand} from '../../api/types.ts';
import {ComponentLink, type Format} from './energy.tsx';
import {columnOf, kBar, type PlacedBand} from './flow_layout.ts';

const kKinds = {source: 'in', work: 'out', store: 'stored', loss: 'lost', unaccounted: 'unaccounted'};

/** A Sankey diagram: on the left what was supplied, on the right where it went, each band as high as its energy. */
export function Flow({balance: {from, to}, format}: {balance: EnergyBalance; format: Format}) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watch = new ResizeObserver(() => setWidth(box.current?.clientWidth ?? 0));
    watch.observe(box.current!);
    return () => watch.disconnect();
  }, []);
  const sum = (bands: EnergyBand[]) => bands.reduce((all, {energy}) => all + energy, 0);
  const largest = Math.max(sum(from), sum(to));
  const left = columnOf(from, largest);
  const right = columnOf(to, largest);
  const middle = width / 2;
  const height = Math.max(left.height, right.height);
  const sides = [
    ['is-from', left, 0, middle - kBar / 2],
    ['is-to', right, width, middle + kBar / 2],
  ] as const;
  const kinds = new Set([...from, ...to].map(({kind}) => kind));
  return (
    <>
      <div class="flow" ref={box} style={{height: `${height}px`}}>
        {width > 0 && largest > 0 && (
          <>
            <svg width={width} height={height} aria-hidden="true">
              {sides.map(([side, column, outer, inner]) =>
                column.bands.map((placed) => (
                  <path
                    key={`${side} ${placed.band.kind} ${placed.band.label}`}
                    class={`is-${placed.band.kind}`}
                    d={outline(placed, outer, inner)}
                  />
                )),
              )}
              <rect class="hub" x={middle - kBar / 2} y={0} width={kBar} height={Math.max(left.sum, right.sum)} />
            </svg>
            {sides.map(([side, column]) => (
              <ul key={side} class={side} aria-label={side === 'is-from' ? 'Supplied energy' : 'Where it went'}>
                {column.bands.map((placed) => (
                  <li
                    key={`${placed.band.kind} ${placed.band.label}`}
                    style={{top: `${placed.outer + placed.height / 2}px`}}
                    title={`${kKinds[placed.band.kind]}: ${placed.band.label} ${format(placed.band.energy)}`}
                  >
                    <span>
                      <ComponentLink path={placed.band.component} text={placed.band.label} />
                    </span>{' '}
                    <b>{format(placed.band.energy)}</b>
                  </li>
                ))}
              </ul>
            ))}
          </>
        )}
      </div>
      <ul class="flow-kinds" aria-label="Colours">
        {[...kinds].map((kind) => (
          <li key={kind}>
            <i class={`is-${kind}`} /> {kKinds[kind]}
          </li>
        ))}
      </ul>
    </>
  );
}

function outline({outer: y0, inner: y1, height: h}: PlacedBand, x0: number, x1: number): string {
  const bend = (x0 + x1) / 2;
  return `M${x0} ${y0}C${bend} ${y0} ${bend} ${y1} ${x1} ${y1}V${y1 + h}C${bend} ${y1 + h} ${bend} ${y0 + h} ${x0} ${y0 + h}Z`;
}
