import {siUnits} from '../../view/settings.ts';
import {formatNumber} from '../../view/units.ts';
import {gradient} from './pressure_scale.ts';
import {choosePressure, chosenPressure, pressureRange} from './shown_scale.ts';

/** What the colours of the lines mean; the upper end can be set. */
export function Legend() {
  const {low, high} = pressureRange.value;
  const factor = siUnits.value ? 1 : 1e-5;
  const unit = siUnits.value ? 'Pa' : 'bar';
  return (
    <div class="legend" role="group" aria-label="Colours of pressures">
      <span>{formatNumber(low * factor)}</span>
      <span class="scale" style={{backgroundImage: gradient()}} />
      <input
        type="number"
        min="0"
        step="any"
        aria-label={`Upper end of the scale in ${unit}`}
        title="Upper end of the scale; empty: the largest pressure so far, as a round number"
        value={chosenPressure.value === undefined ? '' : String(chosenPressure.value * factor)}
        placeholder={formatNumber(high * factor)}
        onChange={(event) => {
          const number = event.currentTarget.valueAsNumber / factor;
          choosePressure(number > 0 ? number : undefined);
        }}
      />
      <span>{unit}</span>
      <span class="note">dashes move with the flow</span>
    </div>
  );
}
