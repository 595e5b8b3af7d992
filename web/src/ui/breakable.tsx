/** A name that wraps behind its underscores and dots. */
export const breakable = (name: string) =>
  name.split(/(?<=[_.])/).flatMap((part, index) => (index ? [<wbr key={index} />, part] : [part]));
