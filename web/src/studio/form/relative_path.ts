/** A path of the folder as a file of the folder names it: `../charts/a.scxml`. */
export function relativePath(from: string, to: string): string {
  const folder = from.split('/').slice(0, -1);
  const parts = to.split('/');
  let same = 0;
  while (same < folder.length && same < parts.length - 1 && folder[same] === parts[same]) same++;
  return [...folder.slice(same).map(() => '..'), ...parts.slice(same)].join('/');
}
