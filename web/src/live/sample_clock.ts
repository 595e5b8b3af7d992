// Samples are stamped with the time of the clock on the wall; the page shows them over the simulated one.

const kMost = 2000;  // stamps that are remembered

/** Simulated time by stamp. A stamp that is not known has the time of the newest one before it. */
export class SampleClock {
  private readonly times = new Map<number, number>();  // in the order of the stamps
  private newest = 0;

  set(stamp: number, time: number): void {
    this.times.set(stamp, time);
    this.newest = time;
    if (this.times.size <= kMost) return;
    for (const oldest of this.times.keys()) {
      this.times.delete(oldest);
      if (this.times.size <= kMost / 2) break;
    }
  }

  timeOf(stamp: number): number {
    const exact = this.times.get(stamp);
    if (exact !== undefined) return exact;
    let before: number | undefined;
    for (const [known, time] of this.times) {
      if (known > stamp) break;
      before = time;
    }
    return before ?? this.newest;
  }
}
