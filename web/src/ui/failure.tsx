/** Why the run failed, in the words of the command line. */
export function Failure({lines}: {lines: string[]}) {
  return (
    <div class="banner is-error" role="alert">
      <strong>The run failed.</strong>
      <pre>{lines.join('\n')}</pre>
    </div>
  );
}
