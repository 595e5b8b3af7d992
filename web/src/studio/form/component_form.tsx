import {useEffect, useState} from 'preact/hooks';
import {openSystem, type AttributeView, type ComponentView} from '../../document/index.ts';
import {prettyUnit} from '../../view/units.ts';
import {Equations} from '../../ui/inspector/equations.tsx';
import {Section} from '../../ui/inspector/section.tsx';
import type {Model, ParameterInfo} from '../api/types.ts';
import {ChartPicture} from '../chart/chart_picture.tsx';
import {chooseLine} from '../state/choice.ts';
import {attemptEdit, renameTo} from '../state/edits.ts';
import {faultsHere, type PlacedFault} from '../state/fault_places.ts';
import {modelOf} from '../state/models.ts';
import {current, enter, files, project, system, view} from '../state/workspace.ts';
import {hasTree, mechanism, openTree} from '../mechanism/tree_state.ts';
import {tableModel} from '../table/table_state.ts';
import {parameterChanged} from '../run/changes.ts';
import {ChartChoice} from './chart_choice.tsx';
import {Field} from './field.tsx';
import {FaultLines} from './fault_lines.tsx';
import {relativePath} from './relative_path.ts';
import {isUsed, optionsOf} from './used_by.ts';

const written = (list: readonly AttributeView[], name: string): string | null =>
  list.find((one) => one.name === name)?.value ?? null;

const number = (value: number) => String(Number(value.toPrecision(6)));

export function rangeOf({min, max, unit}: ParameterInfo): string {
  if (min === undefined && max === undefined) return '';
  const of = unit && unit !== '1' ? ` ${unit}` : '';
  return min !== undefined && max !== undefined
    ? `${number(min)} to ${number(max)}${of}`
    : min !== undefined
      ? `at least ${number(min)}${of}`
      : `at most ${number(max!)}${of}`;
}

/** A default in SI is shown in the unit that people use, with that unit. */
export function defaultOf({default: value, unit, display_unit, display_factor}: ParameterInfo): string {
  if (value === undefined || value === null) return '';
  const text = String(value).trim();
  const digits = unit && text.endsWith(` ${unit}`) ? text.slice(0, -unit.length - 1) : text;
  const isPlain =
    display_unit !== undefined &&
    display_factor !== undefined &&
    display_factor !== 1 &&
    digits !== '' &&
    Number.isFinite(Number(digits));
  return isPlain && Number(digits) !== 0 ? `${number(Number(digits) * display_factor)} ${display_unit}` : text;
}

/** Its model's description as a form: what is written in the file stands in the fields, defaults in grey. */
export function ComponentForm({component}: {component: ComponentView; key?: string}) {
  const model = modelOf(component);
  const faults = faultsHere.value.filter(({owner}) => owner === component.name);
  const isLocked = system.value?.fault !== null;
  const set = (name: string, value: string | null, info?: ParameterInfo) => {
    attemptEdit(value === null ? `Remove ${component.name}.${name}` : `Set ${component.name}.${name} to ${value}`, (now) =>
      now.setParameter(component.name, name, value),
    );
    parameterChanged(component.name, name, value ?? String(info?.default ?? ''), info?.is_structural === false);
  };
  const setStart = (name: string, value: string | null) => {
    attemptEdit(`Set the start of ${component.name}.${name}`, (now) => now.setStart(component.name, name, value));
    parameterChanged(component.name, `start of ${name}`, value ?? '', false);
  };
  const ofPart = (part: string) => faults.filter((fault) => fault.part === part && !fault.isPort);
  const known = new Set<string>([
    'level',
    'chart',
    'src',
    ...[...(model?.parameters ?? []), ...(model?.common ?? [])].map(({name}) => name),
    ...(model?.aspects ?? []).map(({name}) => name),
    ...(model?.inputs ?? []).map(({name}) => name),
  ]);
  const others = component.attributes.filter(({name}) => !known.has(name));
  const shown = new Set([...known, ...(model?.starts ?? []).map(({name}) => name), ...others.map(({name}) => name)]);
  return (
    <div class="form" data-component={component.name}>
      <header>
        <Name component={component} />
        <p class="model">
          {component.model}
          {component.source !== undefined && (
            <>
              {' '}
              <button class="plain link" onClick={() => enter(component.name)}>
                {component.source}
              </button>
            </>
          )}
        </p>
        {model && <p>{model.text}</p>}
        {hasTree(component) && mechanism.value?.name !== component.name && (
          <button onClick={() => openTree(component.name)}>Edit as a tree</button>
        )}
        {model && component.kind === 'model' && (
          <button
            title={`The parameters of all components of the model ${component.model} in one table`}
            onClick={() => {
              tableModel.value = component.model;
            }}
          >
            Table
          </button>
        )}
        {!model && component.kind === 'model' && (
          <p class="fault" role="alert">
            There is no model of this name. Its attributes remain unchanged.
          </p>
        )}
        {component.repeated.length > 0 && (
          <p class="hint">Made by a &lt;For&gt;: edits apply to every copy. Edit names, lines and places as text.</p>
        )}
      </header>
      <FaultLines faults={faults.filter(({part, isPort}) => isPort || !shown.has(part))} />
      {model && <Choices component={component} model={model} isLocked={isLocked} set={set} />}
      {component.kind === 'chart' && (
        <Field
          name="src"
          value={written(component.attributes, 'src')}
          commit={(value) => set('src', value)}
          options={files.value.filter(({kind}) => kind === 'chart').map(({path}) => relativePath(current.value ?? '', path))}
        />
      )}
      {component.kind === 'chart' && component.source !== undefined && (
        <ChartPicture project={project} path={component.source} />
      )}
      {component.kind === 'subsystem' && <SubsystemParameters component={component} set={set} />}
      {model && <Parameters component={component} model={model} isLocked={isLocked} ofPart={ofPart} set={set} />}
      {model && model.starts.length > 0 && (
        <Section title="Start values" count={model.starts.length}>
          <div class="fields">
            {model.starts.map((start) => (
              <Field
                key={start.name}
                name={start.name}
                value={written(component.starts, start.name)}
                placeholder={defaultOf(start)}
                unit={prettyUnit(start.unit)}
                title={start.text}
                faults={ofPart(start.name)}
                isDisabled={isLocked}
                commit={(value) => setStart(start.name, value)}
              />
            ))}
          </div>
        </Section>
      )}
      {model?.takesChart && <ChartChoice component={component} isLocked={isLocked} />}
      {component.kind !== 'subsystem' && others.length > 0 && (
        <Section title={model ? 'Other attributes' : 'Attributes'} count={others.length}>
          <div class="fields">
            {others.map(({name, value}) => (
              <Field
                key={name}
                name={name}
                value={value}
                faults={ofPart(name)}
                isDisabled={isLocked}
                commit={(next) => set(name, next)}
              />
            ))}
          </div>
        </Section>
      )}
      {model && model.common.length > 0 && (
        <Section title="Settings" isClosed>
          <div class="fields">
            {model.common.map((info) => (
              <Field
                key={info.name}
                name={info.name}
                value={written(component.attributes, info.name)}
                placeholder={defaultOf(info)}
                options={info.options}
                title={info.text}
                faults={ofPart(info.name)}
                isDisabled={isLocked}
                commit={(value) => set(info.name, value, info)}
              />
            ))}
          </div>
        </Section>
      )}
      <Joints component={component} />
      {model?.equations && <Equations text={model.equations} />}
    </div>
  );
}

function Name({component}: {component: ComponentView}) {
  const [draft, setDraft] = useState(component.name);
  useEffect(() => setDraft(component.name), [component.name]);
  return (
    <input
      class="component-name"
      aria-label="Name"
      spellcheck={false}
      value={draft}
      disabled={component.repeated.length > 0}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onBlur={() => {
        if (draft !== component.name) {
          renameTo(component.name, draft.trim());
          setDraft(component.name);
        }
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') {
          event.stopPropagation();
          setDraft(component.name);
        }
      }}
    />
  );
}

interface Setting {
  component: ComponentView;
  model: Model;
  isLocked: boolean;
  set: (name: string, value: string | null, info?: ParameterInfo) => void;
}

function Choices({component, model, isLocked, set}: Setting) {
  const options = optionsOf(component, model);
  const levels = [...model.levels, ...component.levels.map(({name}) => name)];
  const choice = (name: string, list: readonly string[], text: string) => {
    const now = written(component.attributes, name);
    return (
      <div class="choice" key={name} role="group" aria-label={name} title={text}>
        <span class="label">{name}</span>
        <span class="buttons">
          {list.map((option) => (
            <button
              key={option}
              class={`is-${option.toLowerCase()} ${now === null && options.get(name) === option ? 'is-default' : ''}`}
              aria-pressed={now === option}
              disabled={isLocked}
              title={now === option ? 'Press again to use the default' : undefined}
              onClick={() => set(name, now === option ? null : option)}
            >
              {option}
            </button>
          ))}
        </span>
      </div>
    );
  };
  return (
    <div class="choices">
      {levels.length > 0 && choice('level', levels, 'The level of detail')}
      {model.aspects.map((aspect) => choice(aspect.name, aspect.options, aspect.text ?? ''))}
    </div>
  );
}

function Parameters({component, model, isLocked, ofPart, set}: Setting & {ofPart: (part: string) => PlacedFault[]}) {
  const options = optionsOf(component, model);
  const inputs = model.inputs.filter(({name}) => component.attributes.some((one) => one.name === name));
  const all = [
    ...model.parameters,
    ...inputs.map(({name, unit, text}): ParameterInfo => ({name, unit, text, is_structural: false})),
  ];
  if (!all.length) return null;
  return (
    <Section title="Parameters" count={all.length}>
      <div class="fields">
        {all.map((info) => {
          const range = rangeOf(info);
          const isOfLevel = isUsed(info.used_with, options);
          const value = written(component.attributes, info.name);
          return (
            <Field
              key={info.name}
              name={info.name}
              value={value}
              placeholder={defaultOf(info)}
              options={info.options}
              unit={info.options?.length ? '' : prettyUnit(info.unit)}
              faults={ofPart(info.name)}
              isUnused={!isOfLevel}
              isDisabled={isLocked}
              title={[
                info.text,
                range && `Range: ${range}`,
                defaultOf(info) && `Default: ${defaultOf(info)}`,
                info.used_with?.length
                  ? `Used with ${info.used_with.map(({of, options: these}) => `${of}=${these.join('|')}`).join(' or ')}`
                  : '',
                info.is_structural === false ? 'Can be changed while it runs' : 'Structural: a change needs a restart',
              ]
                .filter(Boolean)
                .join('\n')}
              mark={info.is_structural === false ? '' : 'Structural: a change takes effect with the next start'}
              commit={(next) => set(info.name, next, info)}
            />
          );
        })}
      </div>
    </Section>
  );
}

/** What the file of a sub-system lets be handed down. */
function SubsystemParameters({component, set}: {component: ComponentView; set: Setting['set']}) {
  const inside = insideOf(component);
  const names = new Set(inside.map(({name}) => name));
  const others = component.attributes.filter(({name}) => name !== 'src' && !names.has(name));
  return (
    <Section title="Parameters handed down" count={inside.length}>
      <div class="fields">
        {inside.map(({name, value, text}) => (
          <Field
            key={name}
            name={name}
            value={written(component.attributes, name)}
            placeholder={value}
            title={text}
            commit={(next) => set(name, next)}
          />
        ))}
        {others.map(({name, value}) => (
          <Field key={name} name={name} value={value} commit={(next) => set(name, next)} />
        ))}
        {!inside.length && !others.length && <p class="empty">The file has no &lt;Parameter&gt;.</p>}
      </div>
    </Section>
  );
}

/** Its lines, to walk along them, and to take them out. */
function Joints({component}: {component: ComponentView}) {
  const now = view.value;
  if (!now) return null;
  const isMine = (path: string) => path.startsWith(`${component.name}.`);
  const ends = [
    ...now.connects.filter(({from, to}) => isMine(from) || isMine(to)).map((line) => ({...line, sign: '–'})),
    ...now.routes
      .filter(({from, to}) => isMine(from) || isMine(to))
      .map((line) => ({...line, sign: isMine(line.from) ? '→' : '←'})),
  ];
  if (!ends.length) return null;
  return (
    <Section title="Lines" count={ends.length} isClosed>
      <ul class="connections">
        {ends.map(({from, to, key, sign}) => (
          <li key={key}>
            <button class="plain link" onClick={() => chooseLine({from, to})}>
              {isMine(from)
                ? `${from.slice(component.name.length + 1)} ${sign} ${to}`
                : `${to.slice(component.name.length + 1)} ${sign} ${from}`}
            </button>{' '}
            <button
              class="plain"
              aria-label={`Remove ${from} – ${to}`}
              title="Remove"
              onClick={() => attemptEdit('Remove the line', (document) => document.disconnect([key]))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const insideOf = ({source}: ComponentView) =>
  source !== undefined && project.has(source) ? openSystem(project, source).view.parameters : [];
