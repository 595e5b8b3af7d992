import {describeFault, isError, type PlacedFault} from '../state/fault_places.ts';

export function FaultLines({faults}: {faults: readonly PlacedFault[]}) {
  if (!faults.length) return null;
  return (
    <ul class="fault-lines">
      {faults.map((fault, index) => (
        <li key={index} class={isError(fault) ? 'fault' : 'warning'} role="alert">
          {fault.part && <b>{fault.part}: </b>}
          {describeFault(fault)}
        </li>
      ))}
    </ul>
  );
}
