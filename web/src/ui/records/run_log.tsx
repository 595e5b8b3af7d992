import {useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import type {LogLine} from '../../api/types.ts';
import {merged} from '../../live/causes.ts';
import {componentOf, log} from '../../live/session.ts';
import {select} from '../../view/selection.ts';
import {formatTime} from '../../view/units.ts';
import {Count} from './event_list.tsx';

const kSeverities = ['detail', 'info', 'warning', 'error'];
const kMost = 600; // rows, the newest

const rank = (severity: string): number => {
  const index = kSeverities.indexOf(severity.toLowerCase());
  return index < 0 ? 1 : index;
};

/** Lines that are at least as severe and have every word. */
export function filterLog(lines: LogLine[], text: string, least: string): LogLine[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter(
    (line) =>
      rank(line.severity) >= rank(least) && words.every((word) => `${line.path} ${line.text}`.toLowerCase().includes(word)),
  );
}

const mergedLines = (lines: readonly LogLine[]) =>
  merged(lines, ({severity, kind, path, run}) => [severity, kind, path, run]).map(({last, count, since}) => ({
    line: last,
    count,
    since,
  }));

export function RunLog() {
  const [text, setText] = useState('');
  const [least, setLeast] = useState('info');
  const found = useMemo(() => filterLog(log.value, text, least), [log.value, text, least]);
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (isAtEnd.current && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [found]);
  return (
    <>
      <div class="line-tools">
        <input
          type="search"
          placeholder="Filter the log"
          aria-label="Filter the log"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <label class="field">
          from
          <select value={least} onChange={(event) => setLeast(event.currentTarget.value)}>
            {kSeverities.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <span class="muted">
          {found.length} of {log.value.length} lines
        </span>
      </div>
      <div
        class="lines"
        ref={list}
        onScroll={(event) => {
          const {scrollTop, scrollHeight, clientHeight} = event.currentTarget;
          isAtEnd.current = scrollTop + clientHeight > scrollHeight - 20;
        }}
      >
        <table>
          <tbody>
            {mergedLines(found)
              .slice(-kMost)
              .map(({line, count, since}) => (
                <tr key={line.n} class={`is-${line.severity.toLowerCase()}`}>
                  <td class="time">{formatTime(line.time)} s</td>
                  <td>{line.severity}</td>
                  <td>
                    {line.path && (
                      <button class="plain link" onClick={() => select(componentOf(line.path)?.path ?? null)}>
                        {line.path}
                      </button>
                    )}
                  </td>
                  <td>
                    {line.text}
                    {count > 1 && <Count count={count} since={since} />}
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
