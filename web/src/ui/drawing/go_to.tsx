import {components, system} from '../../live/session.ts';
import {selected} from '../../view/selection.ts';
import {bookmarks} from '../../view/settings.ts';
import type {PanZoom} from './pan_zoom.ts';

interface Props {
  view: () => PanZoom | null;
  host: () => HTMLElement | null;
}

/** Shows the selection, a sub-system or a view that was kept. */
export function GoTo({view, host}: Props) {
  const name = system.value?.name ?? '';
  const mine = bookmarks.value[name] ?? [];
  const parents = [...new Set([...components.value.values()].flatMap(({parent}) => (parent ? [parent] : [])))].sort();
  const group = (path: string) =>
    host()?.querySelector<SVGGraphicsElement>(
      `g.subsystem[data-path="${CSS.escape(path)}"], g.component[data-path="${CSS.escape(path)}"]`,
    );
  const show = (path: string) => {
    const element = group(path);
    const svg = element?.ownerSVGElement;
    if (!element || !svg) return;
    const matrix = svg.getScreenCTM()!.inverse();
    const {left, top, right, bottom} = element.getBoundingClientRect();
    const [a, b] = [new DOMPoint(left, top).matrixTransform(matrix), new DOMPoint(right, bottom).matrixTransform(matrix)];
    view()?.fitTo({x: a.x, y: a.y, width: b.x - a.x, height: b.y - a.y});
  };
  const keep = () => {
    const box = view()?.shown;
    const called = box && window.prompt('Name of this view', `view ${mine.length + 1}`)?.trim();
    if (!box || !called) return;
    bookmarks.value = {...bookmarks.value, [name]: [...mine.filter((one) => one.name !== called), {name: called, box}]};
  };
  const forget = () => {
    bookmarks.value = {...bookmarks.value, [name]: []};
  };
  const go = (choice: string) => {
    const [kind, ...rest] = choice.split(':');
    const what = rest.join(':');
    if (kind === 'all') view()?.fit();
    else if (kind === 'path') show(what);
    else if (kind === 'mark') {
      const mark = mine.find((one) => one.name === what);
      if (mark) view()?.goTo(mark.box);
    } else if (kind === 'keep') keep();
    else if (kind === 'forget') forget();
  };
  return (
    <select
      aria-label="Show a part of the drawing"
      value=""
      onChange={(event) => {
        go(event.currentTarget.value);
        event.currentTarget.value = '';
      }}
    >
      <option value="">Show …</option>
      <option value="all:">everything</option>
      {selected.value !== null && <option value={`path:${selected.value}`}>{selected.value}</option>}
      {parents.length > 0 && (
        <optgroup label="Sub-systems">
          {parents.map((path) => (
            <option key={path} value={`path:${path}`}>
              {path}
            </option>
          ))}
        </optgroup>
      )}
      {mine.length > 0 && (
        <optgroup label="Bookmarks">
          {mine.map((one) => (
            <option key={one.name} value={`mark:${one.name}`}>
              {one.name}
            </option>
          ))}
        </optgroup>
      )}
      <option value="keep:">Keep this view …</option>
      {mine.length > 0 && <option value="forget:">Forget all bookmarks</option>}
    </select>
  );
}
