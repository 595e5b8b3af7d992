// Samples are stamped with the time of the clock on the wall; the page shows them over the simulated one.

const kMost = 2000; // stamps that are remembered

/** Simulated times [s]: of a row of samples, and of the row before it. */
export interface RowTime {
  time: number;
  before: number;
}

/** Simulated time by stamp. A stamp that is not known has the time of the newest one before it. */
export class SampleClock {
  private readonly rows = new Map<number, RowTime>(); // in the order of the stamps
  private newest: RowTime = {time: 0, before: 0};

  set(stamp: number, time: number): void {
    if (this.rows.has(stamp)) return;
    this.newest = {time, before: Math.min(this.newest.time, time)};
    this.rows.set(stamp, this.newest);
    if (this.rows.size <= kMost) return;
    for (const oldest of this.rows.keys()) {
      this.rows.delete(oldest);
      if (this.rows.size <= kMost / 2) break;
    }
  }

  rowOf(stamp: number): RowTime {
    const exact = this.rows.get(stamp);
    if (exact !== undefined) return exact;
    let before: RowTime | undefined;
    for (const [known, row] of this.rows) {
      if (known > stamp) break;
      before = row;
    }
    return before ?? this.newest;
  }
}
