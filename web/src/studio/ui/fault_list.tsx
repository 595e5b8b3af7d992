import {faults} from '../state/assistant.ts';
import {choose} from '../state/choice.ts';
import {describeFault, faultsHere, isError} from '../state/fault_places.ts';
import {openFile, current} from '../state/workspace.ts';
import {focusSheet, revealComponent} from '../sheet/sheet.tsx';

/** All faults of the system; a click shows the component. */
export function FaultList() {
  if (!faults.value.length) return null;
  const here = faultsHere.value;
  return (
    <ul class="fault-list" aria-label="Errors">
      {faults.value.slice(0, 200).map((fault, index) => {
        const placed = here.find((one) => one.line === fault.line && one.text === fault.text && one.path === fault.path);
        const go = () => {
          if (placed?.owner) {
            choose([placed.owner]);
            revealComponent(placed.owner);
            focusSheet();
          } else if (fault.file && fault.file !== current.peek()) {
            void openFile(fault.file);
          }
        };
        return (
          <li key={index} class={isError(fault) ? 'fault' : 'warning'}>
            <button class="plain link" onClick={go}>
              {fault.file}
              {fault.line ? `:${fault.line}` : ''} {fault.path}
            </button>{' '}
            {describeFault(fault)}
          </li>
        );
      })}
    </ul>
  );
}
