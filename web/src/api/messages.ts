// Bytes to messages and back. The code behind it is made from server/studio_api.proto.
import Pbf from 'pbf';
// @ts-expect-error: generated JavaScript without types
import * as generated from '../../generated/studio_api.js';

export interface Hello {
  system_name: string;
  compat_version: number;
  challenge?: Uint8Array;
}

export interface ValueRequest {
  node_id: number;
  fs?: number;
  sample_rate?: number;
  stop?: boolean;
}

/** A sample: of texts and options `str_value`, of conditions `b_value`, of numbers `d_value`; `timestamp` in ns UTC. */
export interface VariantValue {
  node_id: number;
  d_value: number;
  b_value: boolean;
  str_value: string;
  timestamp: number;
}

export interface Container {
  message_type: number;
  error?: {code: number; text: string; node_id: number};
  getter_request: ValueRequest[];
  getter_response: VariantValue[];
  structure_change_response: number[];
}

export const ContainerType: Record<string, number> = generated.ContainerType;

export function readHello(bytes: Uint8Array): Hello {
  return generated.readHello(new Pbf(bytes));
}

export function readContainer(bytes: Uint8Array): Container {
  return generated.readContainer(new Pbf(bytes));
}

export function getterRequest(requests: ValueRequest[]): Uint8Array {
  return container({message_type: ContainerType.GETTER_REQUEST!, getter_request: requests});
}

/** Writes a number in SI. It is sent as a text: the code that writes messages leaves out a number that is 0. */
export function setterRequest(node_id: number, number: number): Uint8Array {
  return container({message_type: ContainerType.SETTER_REQUEST!, setter_request: [{node_id, str_value: String(number)}]});
}

/** Without ids: asks for the root, as every client does after Hello. */
export function structureRequest(ids: number[] = []): Uint8Array {
  return container({message_type: ContainerType.STRUCTURE_REQUEST!, structure_request: ids});
}

function container(fields: object): Uint8Array {
  const writer = new Pbf();
  generated.writeContainer(fields, writer);
  return writer.finish();
}
