import {ComponentForm} from '../form/component_form.tsx';
import {FaultLines} from '../form/fault_lines.tsx';
import {Field} from '../form/field.tsx';
import {
  bodies,
  faultsOfParts,
  kBase,
  kinds,
  mechanism,
  nameOf,
  partHere,
  parts,
  removePart,
  setPart,
  valueIn,
} from './tree_state.ts';

/** The pane beside the tree: of the chosen part, or of the mechanism. */
export function PartForm() {
  const component = mechanism.value;
  const part = partHere.value;
  if (!component) return null;
  if (!part) return <ComponentForm key={component.name} component={component} />;
  const own = nameOf(part);
  const kind = kinds.value.find(({name}) => name === part.element);
  const attributes = kind?.attributes ?? [];
  const faults = faultsOfParts.value.get(own) ?? [];
  // A message begins with the attribute it is about, or has it in quotes.
  const attributeOf = (text: string) => {
    const words = [/^([\w]+): /.exec(text)?.[1], ...[...text.matchAll(/'(\w+)'/g)].map((match) => match[1])];
    return words.find((word) => word !== undefined && attributes.some(({name}) => name === word));
  };
  const loops = parts.value.filter(({element}) => element === 'Loop').map(nameOf);
  const optionsOf = (name: string): readonly string[] | undefined =>
    name === 'of' ? [...bodies.value.filter((body) => body !== kBase), ...loops] : bodies.value.filter((body) => body !== own);
  return (
    <div key={own} class="form" data-component={component.name} data-part={own}>
      <header>
        <h2>{own}</h2>
        <p class="model">{part.element}</p>
        <p>{kind?.text}</p>
      </header>
      <FaultLines faults={faults.filter(({text}) => attributeOf(text) === undefined)} />
      <div class="fields">
        {attributes.map(({name, text, options, is_path}) => (
          <Field
            key={name}
            name={name}
            value={valueIn(part, name)}
            title={text}
            options={is_path ? optionsOf(name) : options}
            faults={faults.filter((fault) => attributeOf(fault.text) === name)}
            commit={(value) => setPart(own, name, value)}
          />
        ))}
      </div>
      <div class="buttons">
        <button onClick={() => removePart(own)}>Remove</button>
      </div>
    </div>
  );
}
