import type {ComponentChildren} from 'preact';

interface Props {
  title: string;
  count?: number;
  isClosed?: boolean;
  children: ComponentChildren;
}

export function Section({title, count, isClosed = false, children}: Props) {
  return (
    <details class="section" open={!isClosed}>
      <summary>
        {title}
        {count !== undefined && <span class="count">{count}</span>}
      </summary>
      {children}
    </details>
  );
}
