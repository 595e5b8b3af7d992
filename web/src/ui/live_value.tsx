import {useEffect, useRef} from 'preact/hooks';
import {itemOf, values} from '../live/session.ts';
import type {Value} from '../live/values.ts';
import {siUnits} from '../view/settings.ts';
import {formatValue} from '../view/units.ts';

const kRate = 8; // samples a second: what eyes can follow

/** The value of an item, as it goes. It changes the text in place: nothing is rendered anew. */
export function LiveValue({path}: {path: string}) {
  const place = useRef<HTMLSpanElement>(null);
  const si = siUnits.value;
  useEffect(() => {
    const item = itemOf(path);
    return values.watch(
      path,
      (value: Value) => {
        const text = formatValue(value, item, si);
        if (place.current && place.current.textContent !== text) place.current.textContent = text;
      },
      kRate,
    );
  }, [path, si]);
  return (
    <span
      class="value"
      ref={place}
      data-value={path}
      onPointerEnter={() => {
        const exact = (value: number) => String(value).replace('-', '−');
        if (place.current) place.current.title = formatValue(values.latest(path), itemOf(path), si, exact);
      }}
    >
      …
    </span>
  );
}
