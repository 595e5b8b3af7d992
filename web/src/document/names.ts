// Names of components and paths made of them.
import {EditRefused} from './project_types.ts';

const kName = /^[A-Za-z_][A-Za-z0-9_]*$/;

export const isName = (text: string): boolean => kName.test(text);

export function checkName(name: string): void {
  if (!isName(name)) throw new EditRefused(`'${name}' is not a name; use letters, digits and _, no digit first`);
}

/** `hydraulic.ReliefValve` gives `relief_valve`. */
export function nameOfModel(model: string): string {
  const base = model
    .slice(model.lastIndexOf('.') + 1)
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, (_, a?: string, b?: string, c?: string) =>
      c ? `${c}_` : `${a}_${b}`,
    );
  const name = base.toLowerCase().replace(/[^a-z0-9_]/g, '_');
  return isName(name) ? name : `component`;
}

/** Whether a name as written covers another: `spring{i}` covers `spring7`. */
export function covers(pattern: string, name: string): boolean {
  if (!pattern.includes('{')) return pattern === name;
  const parts = pattern.split(/\{[^}]*\}/).map((part) => part.replace(/[^A-Za-z0-9_]/g, '\\$&'));
  return new RegExp(`^${parts.join('\\w+')}$`).test(name);
}

/** The first name of a path: `pump` of `pump.out`. */
export function firstName(path: string): string {
  const end = path.search(/[.[]/);
  return end < 0 ? path : path.slice(0, end);
}

/** `base`, else `base2`, `base3` ... */
export function freeName(base: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(base)) return base;
  const stem = base.replace(/\d+$/, '') || base;
  for (let number = 2; ; ++number) {
    if (!isTaken(`${stem}${number}`)) return `${stem}${number}`;
  }
}
