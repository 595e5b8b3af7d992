// The lines in which two texts differ.

export interface Row {
  /** Number in the left text. */
  line: number;
  left: string;
  right: string;
}

const kMostCells = 4e6; // of the table of the longest common subsequence

/** Lines that are only in one of both, those that stand at the same place side by side. */
export function sideBySide(left: string, right: string): Row[] {
  const a = left.split('\n');
  const b = right.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let tail = 0;
  while (tail < a.length - start && tail < b.length - start && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const m = a.length - tail - start;
  const n = b.length - tail - start;
  const rows: Row[] = [];
  if (m * n > kMostCells) {
    for (let i = 0; i < Math.max(m, n); i++)
      rows.push({line: start + i + 1, left: i < m ? a[start + i]! : '', right: i < n ? b[start + i]! : ''});
    return rows;
  }
  // Lengths of the longest common subsequences of what follows.
  const width = n + 1;
  const lengths = new Uint32Array((m + 1) * width);
  for (let i = m - 1; i >= 0; i--) {
    for (let j = n - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[start + i] === b[start + j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  let i = 0;
  let j = 0;
  let removed: [number, string][] = [];
  let added: string[] = [];
  const flush = () => {
    for (let k = 0; k < Math.max(removed.length, added.length); k++) {
      rows.push({line: removed[k]?.[0] ?? start + i + 1, left: removed[k]?.[1] ?? '', right: added[k] ?? ''});
    }
    removed = [];
    added = [];
  };
  while (i < m || j < n) {
    if (i < m && j < n && a[start + i] === b[start + j]) {
      flush();
      i++;
      j++;
    } else if (j >= n || (i < m && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)) {
      removed.push([start + i + 1, a[start + i]!]);
      i++;
    } else {
      added.push(b[start + j]!);
      j++;
    }
  }
  flush();
  return rows;
}
