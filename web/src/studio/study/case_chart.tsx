import {useEffect, useRef, useState} from 'preact/hooks';
import {lineColor} from '../../ui/plots/colors.ts';
import {isDark} from '../../view/settings.ts';
import {formatNumber, prettyUnit} from '../../view/units.ts';
import type {StudyTable} from './study_table.ts';

const kMargin = {left: 70, right: 12, top: 10, bottom: 34};
const kMostSeries = 6;
const kMostPoints = 2000;

/** About five round numbers between two. */
export function ticksOf(low: number, high: number): number[] {
  const width = high - low;
  if (!(width > 0)) return [low];
  const rough = width / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough)!;
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) ticks.push(Number(at.toPrecision(12)));
  return ticks;
}

/** One column over another, a point for each case. Cases of one colour have the same values of all other varied columns. */
export function CaseChart({table, varied, open}: {table: StudyTable; varied: number; open: (row: readonly string[]) => void}) {
  const numeric = table.columns
    .map(({name}, index) => ({name, index}))
    .filter(
      ({name, index}) => name !== 'wall_s' && table.rows.some((row) => Number.isFinite(Number.parseFloat(row[index] ?? ''))),
    );
  // One unit is one pixel, so that letters keep their size.
  const place = useRef<HTMLDivElement>(null);
  const [{width, height}, setSize] = useState({width: 640, height: 260});
  useEffect(() => {
    const look = new ResizeObserver(([entry]) => {
      const box = entry!.contentRect;
      setSize({width: Math.max(box.width, 200), height: Math.max(box.height, 140)});
    });
    look.observe(place.current!);
    return () => look.disconnect();
  }, []);
  const [x, setX] = useState<string | null>(null);
  const [y, setY] = useState<string | null>(null);
  const at = (name: string | null, otherwise: number) =>
    numeric.find((one) => one.name === name)?.index ?? (numeric.some(({index}) => index === otherwise) ? otherwise : 0);
  const xAt = at(x, 1);
  const yAt = at(y, 1 + varied);
  const points = table.rows
    .slice(0, kMostPoints)
    .map((row) => ({
      row,
      x: Number.parseFloat(row[xAt] ?? ''),
      y: Number.parseFloat(row[yAt] ?? ''),
      key: row.filter((_, index) => index >= 1 && index <= varied && index !== xAt).join(', '),
    }))
    .filter((point) => Number.isFinite(point.x) && Number.isFinite(point.y));
  const keys = [...new Set(points.map(({key}) => key))];
  const isMany = keys.length > kMostSeries;
  const range = (values: number[]): [number, number] => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const margin = (high - low) * 0.04 || Math.abs(high) * 0.05 || 1;
    return [low - margin, high + margin];
  };
  const [left, right] = range(points.map((point) => point.x));
  const [low, high] = range(points.map((point) => point.y));
  const toX = (value: number) => kMargin.left + ((value - left) / (right - left)) * (width - kMargin.left - kMargin.right);
  const toY = (value: number) =>
    height - kMargin.bottom - ((value - low) / (high - low)) * (height - kMargin.top - kMargin.bottom);
  const select = (label: string, value: number, choose: (name: string) => void) => (
    <label class="field">
      {label}
      <select
        aria-label={`Column of the ${label} axis`}
        value={table.columns[value]?.name}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {numeric.map(({name}) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
  const title = (index: number) => {
    const {name = '', unit = ''} = table.columns[index] ?? {};
    return unit ? `${name} [${prettyUnit(unit)}]` : name;
  };
  return (
    <div class="case-chart">
      <div class="buttons">
        {select('x', xAt, setX)}
        {select('y', yAt, setY)}
        {!isMany &&
          keys.length > 1 &&
          keys.map((key, index) => (
            <span key={key} class="chart-key">
              <i style={{background: lineColor(index, isDark.value)}} />
              {key
                .split(', ')
                .map((one) => (Number.isFinite(Number(one)) ? formatNumber(Number(one), 4) : one))
                .join(', ')}
            </span>
          ))}
      </div>
      <div class="points" ref={place}>
        {points.length > 0 && (
          <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title(yAt)} over ${title(xAt)}`}>
            {ticksOf(left, right).map((tick) => (
              <g key={tick}>
                <line class="grid" x1={toX(tick)} x2={toX(tick)} y1={kMargin.top} y2={height - kMargin.bottom} />
                <text x={toX(tick)} y={height - kMargin.bottom + 13} text-anchor="middle">
                  {formatNumber(tick)}
                </text>
              </g>
            ))}
            {ticksOf(low, high).map((tick) => (
              <g key={tick}>
                <line class="grid" x1={kMargin.left} x2={width - kMargin.right} y1={toY(tick)} y2={toY(tick)} />
                <text x={kMargin.left - 5} y={toY(tick) + 3.5} text-anchor="end">
                  {formatNumber(tick)}
                </text>
              </g>
            ))}
            <text x={(kMargin.left + width) / 2} y={height - 5} text-anchor="middle">
              {title(xAt)}
            </text>
            {points.map(({row, key, ...point}) => (
              <circle
                key={row[0]}
                cx={toX(point.x)}
                cy={toY(point.y)}
                r={3.2}
                fill={lineColor(isMany ? 0 : keys.indexOf(key), isDark.value)}
                onClick={() => open(row)}
              >
                <title>{`Case ${row[0]}: ${table.columns.map(({name}, index) => `${name} ${row[index] ?? ''}`).join(', ')}\nClick to run it`}</title>
              </circle>
            ))}
          </svg>
        )}
      </div>
    </div>
  );
}
