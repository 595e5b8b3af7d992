// The limits of a gauge: what is bad begins at them.

export interface Limits {
  warning?: number | undefined;
  alarm?: number | undefined;
}

type Severity = 'warning' | 'alarm';

/** Low values are bad if the alarm is below the warning. */
const isLow = ({warning, alarm}: Limits): boolean => warning !== undefined && alarm !== undefined && alarm < warning;

export function severityOf(value: number, limits: Limits): Severity | undefined {
  const reaches = (limit: number | undefined) => limit !== undefined && (isLow(limits) ? value <= limit : value >= limit);
  return reaches(limits.alarm) ? 'alarm' : reaches(limits.warning) ? 'warning' : undefined;
}

/** The parts of a scale from `low` to `high` that are bad. */
export function zones(low: number, high: number, limits: Limits): {severity: Severity; from: number; to: number}[] {
  const {warning, alarm} = limits;
  const all = isLow(limits)
    ? [
        {severity: 'warning' as const, from: alarm, to: warning},
        {severity: 'alarm' as const, from: low, to: alarm},
      ]
    : [
        {severity: 'warning' as const, from: warning, to: alarm ?? high},
        {severity: 'alarm' as const, from: alarm, to: high},
      ];
  return all.flatMap(({severity, from, to}) => {
    if (from === undefined || to === undefined) return [];
    const zone = {severity, from: Math.max(from, low), to: Math.min(to, high)};
    return zone.from < zone.to ? [zone] : [];
  });
}
