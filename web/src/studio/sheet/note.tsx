import {addressOf, baseOf, type SceneNote} from './notes.ts';

interface Props {
  note: SceneNote;
  isChosen: boolean;
  dx: number;
  dy: number;
  fault: string;
}

/** A text or a picture on the sheet. A picture is an image, so that nothing in it runs. */
export function Note({note, isChosen, dx, dy, fault}: Props) {
  const {key, box, lines, picture} = note;
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const words = lines.join(' ') || picture || '';
  const access = key !== '' && {
    tabindex: 0,
    role: 'button' as const,
    'aria-label': `${words} (note)`,
    'aria-pressed': isChosen,
    'data-path': key,
    'data-owner': key,
  };
  return (
    <g
      class={`note ${isChosen ? 'is-selected' : ''} ${key === '' ? 'is-inner' : ''} ${fault ? 'has-fault' : ''}`}
      {...access}
      transform={`translate(${box.left + dx} ${box.top + dy})`}
    >
      {fault && <title>{fault}</title>}
      <rect class="hit" width={Math.max(width, 8)} height={Math.max(height, 8)} />
      {picture !== null && <image width={width} height={note.height} href={addressOf(picture)} />}
      {lines.map((line, index) => (
        <text key={index} class="note-line" font-size={11} x={0} y={baseOf(note, index)}>
          {line}
        </text>
      ))}
      {isChosen && <rect class="chosen" x={-4} y={-4} width={width + 8} height={height + 8} rx={3} />}
      {fault && <path class="fault-mark" d="M-2 -12l7 12h-14z" />}
    </g>
  );
}
