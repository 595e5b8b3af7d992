import {Section} from './section.tsx';

export function Equations({text}: {text: string}) {
  return (
    <Section title="Equations" isClosed>
      <pre class="equations">{outdented(text)}</pre>
    </Section>
  );
}

/** Without the indentation that all lines share, and without empty lines at both ends. */
export function outdented(text: string): string {
  const lines = text.replace(/^\s*\n|\s+$/g, '').split('\n');
  const indent = Math.min(...lines.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(Number.isFinite(indent) ? indent : 0)).join('\n');
}
