import {siUnits} from '../../view/settings.ts';
import {formatNumber} from '../../view/units.ts';
import {gradient, type Range} from './pressure_scale.ts';

/** What the colours of the lines mean. */
export function Legend({range}: {range: Range}) {
  const factor = siUnits.value ? 1 : 1e-5;
  const unit = siUnits.value ? 'Pa' : 'bar';
  return (
    <div class="legend" role="group" aria-label="Colours of pressures">
      <span>{formatNumber(range.low * factor)}</span>
      <span class="scale" style={{backgroundImage: gradient()}} />
      <span>
        {formatNumber(range.high * factor)} {unit}
      </span>
      <span class="note">dashes move with the flow</span>
    </div>
  );
}
