// Edits that are not saved yet, kept by the browser, so that they survive a lost connection and a closed page.

const kPrefix = `davit.studio.draft ${typeof location === 'undefined' ? '' : location.pathname} `;

export interface Draft {
  path: string;
  text: string;
  /** Of the text on disk that it was made from; null for a new file. */
  hash: string | null;
}

export function writeDraft(path: string, text: string, hash: string | null): void {
  try {
    localStorage.setItem(kPrefix + path, JSON.stringify({text, hash}));
  } catch {
    // Full, or refused by a private window: the page itself still has them.
  }
}

export function dropDraft(path: string): void {
  try {
    localStorage.removeItem(kPrefix + path);
  } catch {
    // As above.
  }
}

export function readDrafts(): Draft[] {
  const drafts: Draft[] = [];
  try {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(kPrefix)) continue;
      const {text, hash} = JSON.parse(localStorage.getItem(key)!) as Omit<Draft, 'path'>;
      drafts.push({path: key.slice(kPrefix.length), text, hash});
    }
  } catch {
    // Spoilt: as if there were none.
  }
  return drafts;
}
