import {givenIn} from '../../document/index.ts';
import {Section} from '../../ui/inspector/section.tsx';
import type {BenchElement} from '../api/types.ts';
import {Field} from '../form/field.tsx';
import {
  addCase,
  benchElements,
  benchResult,
  type FoundBench,
  kBenchItself,
  openStudy,
  removeCase,
  setAttribute,
} from './study_state.ts';
import {Chooser, Faults, Rows} from './study_form.tsx';

/** A bench beside the sheet: its cases, and of the chosen one what is given, what happens, and what is expected. */
export function BenchForm({now: {path, view}}: {now: FoundBench}) {
  const place = openStudy.value?.place ?? kBenchItself;
  const chosen = view.cases.find((one) => one.place === place);
  const of = chosen ?? view;
  const kindOf = (element: string): BenchElement | undefined => benchElements.value.find((one) => one.element === element);
  const itself = kindOf(of.element);
  const inner = benchElements.value.filter((one) => one.place === (chosen ? 'case' : 'bench') && one.element !== 'Case');
  const choose = (next: number) => {
    openStudy.value = {path, place: next};
  };
  return (
    <div class="form study-form" data-component="">
      <header>
        <h2>Bench</h2>
        <Chooser />
        <p class="hint">{kindOf('Bench')?.text}</p>
      </header>
      <Faults />
      <Section title="Cases" count={view.cases.length}>
        <ul class="bench-cases" aria-label="Cases">
          <li>
            <button aria-pressed={!chosen} onClick={() => choose(kBenchItself)}>
              All cases
            </button>
          </li>
          {view.cases.map((one) => (
            <li key={one.place}>
              <button aria-pressed={one.place === place} onClick={() => choose(one.place)} title={givenIn(one, 'text') ?? ''}>
                <State name={one.name} />
                {one.name || '(no name)'}
              </button>
            </li>
          ))}
        </ul>
        <div class="buttons">
          <button onClick={addCase}>Add a case</button>
          {chosen && <button onClick={() => removeCase(chosen.place)}>Remove {chosen.name || 'this case'}</button>}
        </div>
      </Section>
      <Section title={chosen ? `Case ${chosen.name}` : 'All cases'}>
        <div class="fields">
          {itself?.parts.map((part) => (
            <Field
              key={`${place} ${part.attribute}`}
              name={part.attribute}
              value={givenIn(of, part.attribute)}
              placeholder={(chosen && givenIn(view, part.attribute)) ?? ''}
              title={part.text}
              commit={(next) => setAttribute(null, part.attribute, next)}
            />
          ))}
        </div>
      </Section>
      {inner.map((option) => (
        <Rows key={`${place} ${option.element}`} option={option} view={of} />
      ))}
    </div>
  );
}

/** Of the last run. */
function State({name}: {name: string}) {
  const result = benchResult.value?.cases.find((one) => one.name === name);
  if (!result) return null;
  return result.is_passed ? <span class="is-passed">✓ </span> : <span class="is-failed">✗ </span>;
}
