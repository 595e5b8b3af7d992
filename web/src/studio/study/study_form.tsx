import {useState} from 'preact/hooks';
import {givenIn, type StudyView} from '../../document/index.ts';
import {Section} from '../../ui/inspector/section.tsx';
import type {StudyKind, StudyOption, StudyPart} from '../api/types.ts';
import {Field} from '../form/field.tsx';
import {single} from '../state/choice.ts';
import {modelOf} from '../state/models.ts';
import {describeFault} from '../state/fault_places.ts';
import {trail, view} from '../state/workspace.ts';
import {
  addRow,
  bench,
  benchesHere,
  isStudyOpen,
  kBenchItself,
  kind,
  kinds,
  measures,
  newBench,
  newStudy,
  openStudy,
  putRow,
  removeRow,
  setAttribute,
  studiesHere,
  study,
  studyFaults,
  type FoundStudy,
} from './study_state.ts';
import {BenchForm} from './bench_form.tsx';
import {
  inputsOf,
  parametersOf,
  rowOfParameter,
  rowOfSignal,
  signalsOf,
  takersOfInputs,
  takersOfParameters,
  takersOfSignals,
  type Pick,
} from './suggest.ts';

const withoutMarks = (text: string): string => text.replaceAll('`', '');

/** The study beside the sheet: a click on a parameter or a signal of the selected component adds it. */
export function StudyForm() {
  if (bench.value) return <BenchForm now={bench.value} />;
  const now = study.value;
  const of = kind.value;
  return (
    <div class="form study-form" data-component="">
      <header>
        <h2>Studies</h2>
        <Chooser />
        {of && <p class="hint">{of.text}</p>}
        {!now && <p class="hint">Choose what to find out about this system. A study is stored as a file next to it.</p>}
        {now && !of && <p class="fault">{now.path} has an element that is not a study. Correct its text.</p>}
      </header>
      <Faults />
      {now && of && <Picks now={now} of={of} />}
      {now &&
        of?.options.filter(({element}) => element).map((option) => <Rows key={option.name} option={option} view={now.view} />)}
      {now && of && (
        <Section title="Options">
          <div class="fields">
            {[{name: 'system', text: 'System file, relative to the study file'}, ...of.options.filter(isPlain)].map(
              (option) => (
                <Attribute key={option.name} option={option} value={givenIn(now.view, option.name)} />
              ),
            )}
          </div>
        </Section>
      )}
    </div>
  );
}

/** What the server said is wrong with what was started last. */
export function Faults() {
  if (!studyFaults.value.length) return null;
  return (
    <ul class="fault-lines">
      {studyFaults.value.map((fault, index) => (
        <li key={index}>
          {fault.line > 0 && `${fault.file}:${fault.line}: `}
          {describeFault(fault)}
        </li>
      ))}
    </ul>
  );
}

const isPlain = (option: StudyOption): boolean => option.is_attribute && !option.element;

function Attribute({
  option,
  value,
}: {
  option: Partial<StudyOption> & {name: string; text: string};
  value: string | null;
  key?: string;
}) {
  return (
    <Field
      name={option.name}
      value={value}
      placeholder={option.default || option.form || ''}
      title={withoutMarks(option.text)}
      options={option.kind === 'flag' ? ['true', 'false'] : option.choices}
      commit={(next) => setAttribute(null, option.name, next)}
    />
  );
}

export function Chooser() {
  const open = openStudy.value;
  const key = (one: {path: string; place: number}) => `${one.path}#${one.place}`;
  return (
    <div class="buttons">
      {studiesHere.value.length + benchesHere.value.length > 0 && (
        <select
          aria-label="Study"
          value={bench.value ? bench.value.path : open ? key(open) : ''}
          onChange={({currentTarget: {value}}) => {
            const one = studiesHere.value.find((other) => key(other) === value);
            const other = benchesHere.value.find(({path}) => path === value);
            openStudy.value = one ? {path: one.path, place: one.place} : other ? {path: other.path, place: kBenchItself} : null;
          }}
        >
          {!study.value && !bench.value && <option value="">–</option>}
          {benchesHere.value.map(({path}) => (
            <option key={path} value={path}>
              Bench {path}
            </option>
          ))}
          {studiesHere.value.map((one) => (
            <option key={key(one)} value={key(one)}>
              {one.view.element} in {one.path}
            </option>
          ))}
        </select>
      )}
      <select
        aria-label="New study"
        value=""
        onChange={(event) => {
          const of = kinds.value.find(({name}) => name === event.currentTarget.value);
          const isBench = event.currentTarget.value === 'bench';
          event.currentTarget.value = '';
          if (of) newStudy(of);
          else if (isBench) newBench();
        }}
      >
        <option value="">New …</option>
        {kinds.value.map(({name, element, text}) => (
          <option key={name} value={name} title={text}>
            {element}
          </option>
        ))}
        <option value="bench" title="Test cases of the system with expectations">
          Bench
        </option>
      </select>
      <button
        onClick={() => {
          isStudyOpen.value = false;
        }}
      >
        Close
      </button>
    </div>
  );
}

/** What the selected component has to vary and to measure. */
function Picks({now, of}: {now: FoundStudy; of: StudyKind}) {
  const name = single.value;
  const component = name === null ? undefined : view.value?.find(name);
  const within = trail.value.at(-1)?.within ?? [];
  const model = component && modelOf(component);
  const forParameters = takersOfParameters(of);
  const forSignals = takersOfSignals(of);
  const [inputTaker] = takersOfInputs(of);
  const [parameterTaker, setParameterTaker] = useState('');
  const [signalTaker, setSignalTaker] = useState('');
  const [measure, setMeasure] = useState('');
  if (!component)
    return <p class="empty">Select a component on the canvas. Its parameters can be varied and its signals measured here.</p>;
  const chosen = (takers: StudyOption[], element: string) => takers.find((one) => one.element === element) ?? takers[0];
  const taker = chosen(forParameters, parameterTaker);
  const signalsTaker = chosen(forSignals, signalTaker);
  const takes = signalsTaker?.parts.some(({attribute}) => attribute === 'expr');
  const list = (picks: readonly Pick[], add: (pick: Pick) => void, verb: string, title: string) => (
    <div class="picks" role="group" aria-label={title}>
      {picks.map((pick) => (
        <button key={pick.path} title={`${verb} ${pick.path}\n${pick.text}`} data-pick={pick.path} onClick={() => add(pick)}>
          {pick.name}
          {pick.value && <span class="muted"> {pick.value}</span>}
        </button>
      ))}
      {!picks.length && <span class="muted">none</span>}
    </div>
  );
  const select = (label: string, value: string, options: readonly string[], choose: (value: string) => void) =>
    options.length > 1 ? (
      <select aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    ) : (
      <b>{value}</b>
    );
  return (
    <Section title={component.name}>
      <div class="fields">
        {inputTaker && (
          <>
            <p class="pick-line">
              <b>{inputTaker.element}</b> an input or a live parameter:
            </p>
            {list(
              inputsOf(component, model, within),
              (pick) => putRow(inputTaker, [['path', pick.path]]),
              inputTaker.element,
              'Inputs',
            )}
          </>
        )}
        {taker && (
          <>
            <p class="pick-line">
              {select(
                'What a parameter is added as',
                taker.element,
                forParameters.map(({element}) => element),
                setParameterTaker,
              )}{' '}
              a parameter:
            </p>
            {list(
              parametersOf(component, model, within),
              (pick) => putRow(taker, rowOfParameter(of, taker, pick)),
              taker.element,
              'Parameters',
            )}
          </>
        )}
        {signalsTaker && (
          <>
            <p class="pick-line">
              {select(
                'What a signal is added as',
                signalsTaker.element,
                forSignals.map(({element}) => element),
                setSignalTaker,
              )}{' '}
              {takes && select('Function of the measure', measure || measures.value[0] || '', measures.value, setMeasure)}
              {takes ? ' of ' : ' '}a signal:
            </p>
            {list(
              signalsOf(component, model, within),
              (pick) =>
                putRow(signalsTaker, rowOfSignal(signalsTaker, pick, measure || measures.value[0] || '', now.view.rows)),
              signalsTaker.element,
              'Signals',
            )}
          </>
        )}
      </div>
    </Section>
  );
}

interface RowsProps {
  option: {element: string; text: string; parts: readonly StudyPart[]};
  view: StudyView;
  key?: string;
}

/** All elements that one option has. */
export function Rows({option, view: of}: RowsProps) {
  const rows = of.rows.map((row, index) => ({row, index})).filter(({row}) => row.element === option.element);
  return (
    <Section title={option.element} count={rows.length} isClosed={!rows.length}>
      <div class="fields study-rows" title={withoutMarks(option.text)}>
        {rows.map(({row, index}) => (
          <div key={index} class="study-row" role="group" aria-label={`${option.element} ${row.attributes[0]?.value ?? ''}`}>
            {option.parts.map((part) => (
              <Field
                key={part.attribute}
                name={part.attribute}
                value={givenIn(row, part.attribute)}
                title={part.text}
                options={part.choices}
                commit={(next) => setAttribute(index, part.attribute, next)}
              />
            ))}
            <button
              class="plain"
              aria-label={`Remove ${option.element} ${row.attributes[0]?.value ?? ''}`}
              onClick={() => removeRow(index)}
            >
              ×
            </button>
          </div>
        ))}
        <button
          class="add-row"
          onClick={() =>
            addRow(
              option,
              option.parts.filter((part) => !part.is_optional).map(({attribute}) => [attribute, '']),
            )
          }
        >
          Add {option.element}
        </button>
      </div>
    </Section>
  );
}
