// Paths of files, relative to the folder of the studio, with '/'.

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** The file that `source`, as written in the file `path`, names; nothing where it leaves the folder of the studio. */
export function resolvePath(path: string, source: string): string | undefined {
  if (source === '' || source.startsWith('/') || /^[A-Za-z]:|\\/.test(source)) return undefined;
  const parts = folderOf(path)
    .split('/')
    .filter((part) => part !== '');
  for (const part of source.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/** How the file `path` names the file `target`. */
export function relativePath(path: string, target: string): string {
  const from = folderOf(path).split('/').slice(0, -1);
  const to = target.split('/');
  let common = 0;
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) ++common;
  return '../'.repeat(from.length - common) + to.slice(common).join('/');
}
