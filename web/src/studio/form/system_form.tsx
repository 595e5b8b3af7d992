import {useState} from 'preact/hooks';
import type {AttributeView, SystemView} from '../../document/index.ts';
import {prettyUnit} from '../../view/units.ts';
import {Section} from '../../ui/inspector/section.tsx';
import {attemptEdit} from '../state/edits.ts';
import {faultsHere} from '../state/fault_places.ts';
import {parameterChanged} from '../run/changes.ts';
import {othersSteps} from '../state/sharing.ts';
import {current, project} from '../state/workspace.ts';
import type {ParameterInfo} from '../api/types.ts';
import {attributesOf, models} from '../state/models.ts';
import {defaultOf} from './component_form.tsx';
import {FaultLines} from './fault_lines.tsx';
import {Field} from './field.tsx';

/** What the element of a model that is no component of the sheet may have, such as SimulatorManager. */
export const settingsOf = (name: string): readonly ParameterInfo[] => {
  const model = models.value.get(name);
  return model ? [...model.parameters, ...model.common] : [];
};

const valueNamed = (list: readonly AttributeView[], name: string) => list.find((one) => one.name === name)?.value ?? null;

function Setting({info, value, commit}: {info: ParameterInfo; value: string | null; commit: (value: string | null) => void}) {
  return (
    <Field
      name={info.name}
      value={value}
      placeholder={defaultOf(info)}
      unit={info.options?.length ? '' : prettyUnit(info.unit)}
      title={info.text}
      options={info.options}
      commit={commit}
    />
  );
}

/** Of the system itself: how it runs, its parameters, what it records, what happens at which time. */
export function SystemForm({view}: {view: SystemView}) {
  const faults = faultsHere.value.filter(({owner}) => owner === '');
  const attributes = view.manager?.attributes ?? [];
  const integration = view.manager?.integrations[0]?.attributes ?? [];
  return (
    <div class="form" data-component="">
      <header>
        <h2>{view.name}</h2>
        <p class="model">{current.value}</p>
        <p class="hint">
          {view.components.length} {view.components.length === 1 ? 'component' : 'components'}. Choose one on the canvas: its
          parameters appear here.
        </p>
      </header>
      <FaultLines faults={faults} />
      <Section title="Run">
        <div class="fields">
          {settingsOf('SimulatorManager').map((info) => (
            <Setting
              key={info.name}
              info={info}
              value={valueNamed(attributes, info.name)}
              commit={(value) => {
                attemptEdit(`Set ${info.name}`, (now) => now.setManager(info.name, value));
                parameterChanged('SimulatorManager', info.name, value ?? '', info.is_structural === false);
              }}
            />
          ))}
          {settingsOf('Integration').map((info) => (
            <Setting
              key={info.name}
              info={info}
              value={valueNamed(integration, info.name)}
              commit={(value) => {
                attemptEdit(`Set ${info.name}`, (now) => now.setIntegration(info.name, value));
                parameterChanged('SimulatorManager', info.name, value ?? '', false);
              }}
            />
          ))}
        </div>
      </Section>
      <Parameters view={view} />
      <Records view={view} />
      <Commands view={view} />
      <History />
    </div>
  );
}

function Parameters({view}: {view: SystemView}) {
  const [name, setName] = useState('');
  return (
    <Section title="Parameters of the system" count={view.parameters.length} isClosed={!view.parameters.length}>
      <div class="fields">
        {view.parameters.map((one) => (
          <Field
            key={one.name}
            name={one.name}
            value={one.value}
            title={one.text}
            commit={(value) => attemptEdit(`Set ${one.name}`, (now) => now.setSystemParameter(one.name, value))}
          />
        ))}
        <form
          class="adder"
          onSubmit={(event) => {
            event.preventDefault();
            if (
              attemptEdit(`Add the parameter ${name}`, (now) => {
                now.setSystemParameter(name, '0');
                return true;
              })
            )
              setName('');
          }}
        >
          <input
            aria-label="Name of a new parameter"
            placeholder="new parameter"
            value={name}
            required
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <button>Add</button>
        </form>
      </div>
    </Section>
  );
}

function Records({view}: {view: SystemView}) {
  const [signal, setSignal] = useState('');
  return (
    <Section title="Recorded signals" count={view.records.reduce((sum, {signals}) => sum + signals.length, 0)} isClosed>
      <div class="fields">
        {view.records.map((record) => (
          <div key={record.key} class="record">
            {attributesOf('Record')
              .filter(({name}) => name !== 'signals')
              .map(({name, text}) => (
                <Field
                  key={name}
                  name={name}
                  value={valueNamed(record.attributes, name)}
                  title={text}
                  commit={(value) => attemptEdit(`Set ${name}`, (now) => now.setReference(record.key, name, value))}
                />
              ))}
            <ul>
              {record.signals.map((one) => (
                <li key={one}>
                  {one}{' '}
                  <button
                    class="plain"
                    aria-label={`Do not record ${one}`}
                    title="Remove"
                    onClick={() => attemptEdit(`Do not record ${one}`, (now) => now.unrecord(one))}
                  >
                    ×
                  </button>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <form
          class="adder"
          onSubmit={(event) => {
            event.preventDefault();
            if (
              attemptEdit(`Record ${signal}`, (now) => {
                now.record(signal.trim());
                return true;
              })
            )
              setSignal('');
          }}
        >
          <input
            aria-label="Signal to record"
            placeholder="cylinder.x or pump.*"
            value={signal}
            required
            onInput={(event) => setSignal(event.currentTarget.value)}
          />
          <button>Record</button>
        </form>
      </div>
    </Section>
  );
}

function Commands({view}: {view: SystemView}) {
  const [draft, setDraft] = useState({time: '', set: '', value: ''});
  return (
    <Section title="At a time" count={view.ats.length} isClosed>
      <div class="fields">
        {view.ats.map((at) => (
          <div key={at.key} class="at">
            {at.attributes.map(({name, value}) => (
              <Field
                key={name}
                name={name}
                value={value}
                title={attributesOf('At').find((one) => one.name === name)?.text}
                commit={(value) => attemptEdit('Change a command', (now) => now.setReference(at.key, name, value))}
              />
            ))}
            <button class="plain link" onClick={() => attemptEdit('Remove a command', (now) => now.disconnect([at.key]))}>
              Remove
            </button>
          </div>
        ))}
        <form
          class="adder"
          onSubmit={(event) => {
            event.preventDefault();
            if (
              attemptEdit('Add a command', (now) => {
                now.addAt(draft);
                return true;
              })
            )
              setDraft({time: '', set: '', value: ''});
          }}
        >
          {(['time', 'set', 'value'] as const).map((name) => (
            <input
              key={name}
              aria-label={`At: ${name}`}
              placeholder={{time: '10 s', set: 'load.mass', value: '8 t'}[name]}
              required
              value={draft[name]}
              onInput={(event) => setDraft({...draft, [name]: event.currentTarget.value})}
            />
          ))}
          <button>Add</button>
        </form>
      </div>
    </Section>
  );
}

/** What can be taken back, the last first. */
function History() {
  const steps = project.undoSteps;
  return (
    <>
      {steps.length > 0 && (
        <Section title="Done" count={steps.length} isClosed>
          <ol class="history">
            {steps.slice(0, 100).map((step, index) => (
              <li key={index}>
                {step.label} <span class="muted">{step.paths.join(' ')}</span>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {othersSteps.value.length > 0 && (
        <Section title="Done by others" count={othersSteps.value.length} isClosed>
          <ol class="history">
            {othersSteps.value.map(({user, label, path}, index) => (
              <li key={index}>
                {user}: {label} <span class="muted">{path}</span>
              </li>
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}
