// Random operations on a system, as somebody at the sheet does them.
import {EditRefused, openSystem, type Alignment, type Project} from '../../src/document/index.ts';
import type {Random} from './files.ts';

const kModels = [
  'hydraulic.Tank',
  'hydraulic.Volume',
  'mechanical.Mass',
  'signal.Sine',
  'hydraulic.ReliefValve',
  'user.Unknown',
];
const kValues = ['1 bar', '2.5e-3 m', 'a < b & "c"', '${bore}', '', "it's", '1\n2'];
const kAlignments: readonly Alignment[] = ['left', 'center', 'right', 'top', 'middle', 'bottom', 'across', 'down'];

/** What was tried: its name, and whether the document refused it (which changes nothing). */
export function randomEdit(project: Project, path: string, r: Random): {name: string; isRefused: boolean} {
  const system = openSystem(project, path);
  const {components, connects, routes, ats, records, exposes, parameters} = system.view;
  const names = components.filter(({repeated}) => repeated.length === 0).map(({name}) => name);
  const one = (): string => r.pick(names) ?? 'nobody';
  const some = (): string[] => (names.length ? r.some(names, 5) : []);
  const value = (): string => r.pick(kValues)!;
  const drawn = new Map(names.map((name, index) => [name, {x: 8 * index, y: 80, rotation: 0, mirror: false}]));
  const keys = [...connects, ...routes, ...ats, ...records, ...exposes].map(({key}) => key);
  const operations: Readonly<Record<string, () => unknown>> = {
    add: () =>
      system.add({
        model: r.pick(kModels)!,
        ...(r.next() < 0.5 ? {place: {x: 8 * r.integer(100), y: 8 * r.integer(100)}} : {}),
        ...(r.next() < 0.5 ? {starts: {p: value()}} : {}),
        attributes: {size: value()},
      }),
    remove: () => system.remove(some()),
    rename: () => system.rename(one(), system.freeName(r.pick(['a', 'b_1', 'Pump'])!)),
    rename_taken: () => system.rename(one(), one()),
    duplicate: () => system.duplicate(some()),
    cut_and_paste: () => {
      const clip = system.cut(some());
      system.paste(clip);
    },
    group: () => system.group(some(), {name: system.freeName('group')}),
    ungroup: () =>
      system.ungroup(components.find(({kind, repeated}) => kind === 'subsystem' && repeated.length === 0)?.name ?? 'nobody'),
    connect: () => system.connect(`${one()}.a`, `${one()}.port`),
    route: () => system.route(`${one()}.y`, `${one()}.u`, r.next() < 0.5 ? {} : {hold: 'none'}),
    expose: () => system.expose(`${one()}.a`, system.freeName('port')),
    disconnect: () => system.disconnect(keys.length ? r.some(keys, 3) : []),
    set_reference: () =>
      system.setReference(
        r.pick(keys) ?? 'Connect:0',
        r.pick(['from', 'to', 'time', 'hold'])!,
        r.next() < 0.3 ? null : `${one()}.a`,
      ),
    at: () => system.addAt({time: '1 s', set: `${one()}.size`, value: value()}),
    record: () => system.record(`${one()}.x`, r.pick([undefined, '10 ms'])),
    unrecord: () => system.unrecord(r.pick(r.pick(records)?.signals ?? []) ?? 'x'),
    set_parameter: () => {
      const name = one();
      system.setParameter(
        name,
        r.pick(system.view.find(name)?.attributes ?? [])?.name ?? 'size',
        r.next() < 0.3 ? null : value(),
      );
    },
    new_parameter: () => system.setParameter(one(), r.pick(['level', 'size', 'stroke', 'bore'])!, value()),
    start: () => system.setStart(one(), r.pick(['x', 'p', 'v'])!, r.next() < 0.4 ? null : value()),
    manager: () => system.setManager(r.pick(['TimeStep', 'fs', 'StopTime'])!, r.next() < 0.3 ? null : value()),
    integration: () => system.setIntegration(r.pick(['rtol', 'method', 'solver'])!, r.next() < 0.3 ? null : value()),
    system_parameter: () =>
      system.setSystemParameter(
        r.pick(parameters)?.name ?? r.pick(['bore', 'p1', 'p2'])!,
        r.next() < 0.4 ? null : value(),
        r.pick([undefined, 'Text']),
      ),
    level: () => system.setLevel(one(), r.pick(['Own', 'Other'])!, 'Ideal', r.next() < 0.3 ? null : {friction: value()}),
    name: () => system.setSystemName(r.pick(['first', 'second'])!),
    inside: () =>
      system.setInside(
        one(),
        r.pick(['', '<Input name="u"/>', '\n  <Output name="y" expr="1 &lt; 2"/>\n  <!-- c -->\n', '<broken'])!,
      ),
    place: () =>
      system.place({[one()]: {x: r.integer(800), y: -r.integer(800) / 3, rotation: 90 * r.integer(4), mirror: r.next() < 0.5}}),
    unplace: () => system.unplace(some()),
    move: () => system.move(some(), 8 * r.integer(20), -8, drawn),
    rotate: () => system.rotate(some(), 90 * (1 + r.integer(3)), drawn),
    mirror: () => system.mirror(some(), drawn),
    align: () => system.align(some(), r.pick(kAlignments)!, drawn),
  };
  const name = r.pick(Object.keys(operations))!;
  try {
    operations[name]!();
    return {name, isRefused: false};
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    return {name, isRefused: true};
  }
}
