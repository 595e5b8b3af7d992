// How much is drawn while something moves: less where frames take too long. What stands still is drawn completely.

/** Everything; without shadows; and with fewer pixels, too. */
export type Detail = 'all' | 'less' | 'least';

const kDetails: readonly Detail[] = ['least', 'less', 'all'];
const kSlow = 1000 / 28; // ms a frame; longer ones are too slow
const kFrames = 12; // that are looked at before less is drawn
const kRest = 250; // ms without a change: it stands still

export class Pace {
  /** What is drawn now. */
  now: Detail = 'all';
  private most = kDetails.length - 1; // while it moves
  private last = -Infinity; // when something was drawn
  private took = 0; // by the frames that were looked at [ms]
  private count = 0;

  /** At each frame: whether it is drawn. `isStale`: something has changed. */
  take(time: number, isStale: boolean): boolean {
    const since = time - this.last;
    if (!isStale) {
      // Once completely, if less was drawn while it moved.
      if (since < kRest || this.now === 'all') return false;
      this.now = 'all';
      this.count = this.took = 0;
      this.last = time;
      return true;
    }
    if (since < kRest) {
      this.took += since;
      this.count++;
    }
    if (this.count === kFrames) {
      if (this.took > kFrames * kSlow && this.most > 0) this.most--;
      this.count = this.took = 0;
    }
    this.now = kDetails[this.most]!;
    this.last = time;
    return true;
  }
}
