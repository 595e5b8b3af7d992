// The limits of a gauge: what is bad begins at them.

export interface Limits {
  warning?: number | undefined;
  alarm?: number | undefined;
  /** What is below them is bad, not what is above. */
  isBadBelow: boolean;
}

type Severity = 'warning' | 'alarm';

export function severityOf(value: number, {warning, alarm, isBadBelow}: Limits): Severity | undefined {
  const reaches = (limit: number | undefined) => limit !== undefined && (isBadBelow ? value <= limit : value >= limit);
  return reaches(alarm) ? 'alarm' : reaches(warning) ? 'warning' : undefined;
}

/** The parts of a scale from `low` to `high` that are bad; the one of the alarm covers that of the warning. */
export function zones(
  low: number,
  high: number,
  {warning, alarm, isBadBelow}: Limits,
): {severity: Severity; from: number; to: number}[] {
  const zone = (severity: Severity, limit: number | undefined) => {
    if (limit === undefined) return [];
    const [from, to] = isBadBelow ? [low, Math.min(limit, high)] : [Math.max(limit, low), high];
    return from < to ? [{severity, from, to}] : [];
  };
  return [...zone('warning', warning), ...zone('alarm', alarm)];
}
