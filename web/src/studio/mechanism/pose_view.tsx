import {effect} from '@preact/signals';
import {useEffect, useRef, useState} from 'preact/hooks';
import {CameraButtons, type StageCanvas} from '../../ui/mechanism/space/space_view.tsx';
import {Triad, turnTriad} from '../../ui/mechanism/space/triad.tsx';
import {isDark} from '../../view/settings.ts';
import {trail} from '../state/workspace.ts';
import {followPose, pose, poseFault, PoseNumbers} from './pose.ts';
import {chosenPart, mechanism, nameOf, parts} from './tree_state.ts';

/** The mechanism at its start, in three dimensions; a click chooses a part. */
export function PoseView() {
  const canvas = useRef<StageCanvas>(null);
  const triad = useRef<SVGSVGElement>(null);
  const [fault, setFault] = useState('');
  useEffect(followPose, []);
  useEffect(() => {
    let isGone = false;
    const ends: (() => void)[] = [];
    const open = async () => {
      const {NoWebGl, Stage} = await import('../../ui/mechanism/space/stage.ts');
      if (isGone) return;
      const host = canvas.current!;
      try {
        const stage = new Stage(host, {views: [], items: []}, new PoseNumbers(), {
          lost: () => setFault('The browser has lost its connection to the GPU.'),
          turned: (camera) => turnTriad(triad.current!, camera),
          pointed: () => undefined,
          clicked: (item) => {
            const name = item?.name.replace(/_guide$/, '');
            chosenPart.value = parts.peek().some((part) => nameOf(part) === name) ? name! : null;
          },
          drawn: () => undefined,
        });
        host.stage = stage;
        ends.push(
          () => {
            stage.dispose();
            host.stage = undefined;
          },
          effect(() => {
            if (pose.value) stage.replace(pose.value.scene);
          }),
          effect(() => {
            isDark.value;
            stage.paint();
          }),
          effect(() => {
            const component = [...(trail.value.at(-1)?.within ?? []), mechanism.value?.name].join('.');
            const part = chosenPart.value;
            stage.select((item) => item.component === component && (item.name === part || item.name === `${part}_guide`));
          }),
        );
      } catch (error) {
        if (!(error instanceof NoWebGl)) throw error;
        setFault('This browser has no WebGL, which the view in three dimensions needs.');
      }
    };
    open().catch((error: Error) => setFault(`The view could not be opened: ${error.message}.`));
    return () => {
      isGone = true;
      for (const end of ends.reverse()) end();
    };
  }, []);
  const note = fault || (poseFault.value && `${poseFault.value} The last start without errors is shown.`);
  return (
    <div class="mechanism is-space">
      <figure class="space">
        <canvas ref={canvas} tabIndex={0} role="img" aria-label="Mechanism at the start" />
        <CameraButtons fit={(direction) => canvas.current?.stage?.fit(direction)} />
        <div class="space-notes">
          <Triad svg={triad} />
        </div>
      </figure>
      {note && (
        <p class="notice-line" role="status">
          {note}
        </p>
      )}
    </div>
  );
}
