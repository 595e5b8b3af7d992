// Characters that XML writes as entities.

const kNamed: Readonly<Record<string, string>> = {amp: '&', lt: '<', gt: '>', quot: '"', apos: "'"};

/** The character that `&NAME;` stands for; nothing where it stands for none. */
export function entityCharacter(name: string): string | undefined {
  if (Object.hasOwn(kNamed, name)) return kNamed[name];
  const match = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name);
  if (!match) return undefined;
  const code = match[1] !== undefined ? parseInt(match[1], 16) : parseInt(match[2]!, 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** The text without entities; those that stand for nothing stay. */
export function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&]*);/g, (whole, name: string) => entityCharacter(name) ?? whole);
}

/** A value as it is written between quotes; a line break would be read as a space. */
export function escapeValue(value: string, quote: '"' | "'" = '"'): string {
  const text = checkCharacters(value).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/\r?\n/g, '&#10;');
  return quote === '"' ? text.replace(/"/g, '&quot;') : text.replace(/'/g, '&apos;');
}

/** Text between tags. */
export function escapeText(value: string): string {
  return checkCharacters(value).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/\]\]>/g, ']]&gt;');
}

/** Characters that XML 1.0 has no place for become spaces. */
function checkCharacters(value: string): string {
  return value.replace(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    ' ',
  );
}
