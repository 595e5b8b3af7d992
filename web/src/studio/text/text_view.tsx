import {useEffect, useRef} from 'preact/hooks';
import {effect} from '@preact/signals';
import {closeBrackets, autocompletion, completionKeymap} from '@codemirror/autocomplete';
import {defaultKeymap, indentWithTab} from '@codemirror/commands';
import {xml, xmlLanguage} from '@codemirror/lang-xml';
import {bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting} from '@codemirror/language';
import {lintGutter, setDiagnostics, type Diagnostic} from '@codemirror/lint';
import {highlightSelectionMatches, search, searchKeymap} from '@codemirror/search';
import {Annotation, EditorState, StateEffect, StateField} from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  type DecorationSet,
} from '@codemirror/view';
import {tags} from '@lezer/highlight';
import {editBetween, linesOf} from '../../document/index.ts';
import {
  chart,
  chartFaults,
  chooseStates,
  chooseTransition,
  chosenTransition,
  ownerOfLine,
  singleState,
} from '../chart/chart_state.ts';
import {faults} from '../state/assistant.ts';
import {choose, chooseLine, chosen, lineView, single} from '../state/choice.ts';
import {redo, undo} from '../state/edits.ts';
import {describeFault, isError} from '../state/fault_places.ts';
import {saveAll} from '../state/saving.ts';
import {project, revision, system, view} from '../state/workspace.ts';
import {completeSystem} from './completion.ts';

/** A change that came from the project: it is not handed back. */
const ours = Annotation.define<boolean>();
const showLines = StateEffect.define<{from: number; to: number} | null>();
const kMergeTyping = 'typing';

const shownLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(now, transaction) {
    let next = now.map(transaction.changes);
    for (const one of transaction.effects) {
      if (!one.is(showLines)) continue;
      const marks = [];
      if (one.value) {
        const last = transaction.state.doc.lineAt(Math.min(one.value.to, transaction.state.doc.length)).number;
        for (
          let line = transaction.state.doc.lineAt(Math.min(one.value.from, transaction.state.doc.length)).number;
          line <= last;
          line++
        ) {
          marks.push(Decoration.line({class: 'cm-chosen'}).range(transaction.state.doc.line(line).from));
        }
      }
      next = Decoration.set(marks);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const look = EditorView.theme({
  '&': {height: '100%', fontSize: '12px', backgroundColor: 'var(--surface)', color: 'var(--text)'},
  '.cm-scroller': {fontFamily: 'ui-monospace, "DejaVu Sans Mono", monospace', lineHeight: '1.45'},
  '.cm-gutters': {backgroundColor: 'var(--surface)', color: 'var(--muted)', border: '0'},
  '.cm-activeLine, .cm-activeLineGutter': {backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)'},
  '.cm-chosen': {backgroundColor: 'color-mix(in srgb, var(--selected) 14%, transparent)'},
  '.cm-cursor': {borderLeftColor: 'var(--text)'},
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {backgroundColor: 'var(--accent-tint) !important'},
  '.cm-tooltip': {backgroundColor: 'var(--raised)', border: '1px solid var(--border)', color: 'var(--text)'},
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {backgroundColor: 'var(--accent)', color: 'var(--accent-text)'},
  '.cm-panels': {backgroundColor: 'var(--background)', color: 'var(--text)'},
});
const colors = HighlightStyle.define([
  {tag: tags.tagName, color: 'var(--accent)'},
  {tag: tags.attributeName, color: 'var(--standard)'},
  {tag: tags.attributeValue, color: 'var(--selected)'},
  {tag: [tags.comment, tags.processingInstruction], color: 'var(--muted)'},
  {tag: tags.invalid, color: 'var(--error)'},
]);

/** The file as text, beside the drawing; both follow each other. The editor stands in a shadow tree: the page allows no inline styles. */
export function TextView({path}: {path: string; key?: string}) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => open(host.current!, path), [path]);
  return (
    <section class="text-view" aria-label="Text of the file">
      <div class="text-host" ref={host} />
    </section>
  );
}

function open(host: HTMLElement, path: string): () => void {
  const root = host.shadowRoot ?? host.attachShadow({mode: 'open'});
  let isFollowing = false;
  const editor = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: project.text(path),
      extensions: [
        lineNumbers(),
        drawSelection(),
        highlightActiveLine(),
        bracketMatching(),
        closeBrackets(),
        lintGutter(),
        highlightSelectionMatches(),
        search({top: true}),
        indentUnit.of('  '),
        EditorState.lineSeparator.of(project.text(path).includes('\r\n') ? '\r\n' : '\n'),
        xml(),
        xmlLanguage.data.of({autocomplete: completeSystem}),
        autocompletion({activateOnTyping: true}),
        syntaxHighlighting(colors),
        look,
        shownLines,
        EditorView.contentAttributes.of({'aria-label': `Text of ${path}`}),
        keymap.of([
          {
            key: 'Mod-z',
            run: () => {
              undo();
              return true;
            },
            preventDefault: true,
          },
          {
            key: 'Mod-Shift-z',
            run: () => {
              redo();
              return true;
            },
            preventDefault: true,
          },
          {
            key: 'Mod-y',
            run: () => {
              redo();
              return true;
            },
            preventDefault: true,
          },
          {
            key: 'Mod-s',
            run: () => {
              void saveAll();
              return true;
            },
            preventDefault: true,
          },
          ...completionKeymap,
          ...searchKeymap,
          ...defaultKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          const isOurs = update.transactions.some((one) => one.annotation(ours));
          if (update.docChanged && !isOurs) {
            isFollowing = true;
            project.step('Typing', () => project.setText(path, update.state.sliceDoc()), `${kMergeTyping}:${path}`);
            isFollowing = false;
          }
          if ((update.selectionSet || update.docChanged) && !isOurs && update.view.hasFocus)
            chooseAtLine(update.state.doc.lineAt(update.state.selection.main.head).number);
        }),
      ],
    }),
  });
  const ends = [
    project.subscribe((change) => {
      if (isFollowing || !change.paths.includes(path) || !project.has(path)) return;
      // The one stretch that differs: the cursor and the view stay. In the editor each line ends with one character.
      const inEditor = (text: string): string => text.replaceAll(editor.state.lineBreak, '\n');
      const edit = editBetween(inEditor(editor.state.sliceDoc()), inEditor(project.text(path)));
      if (!edit) return;
      const changes = {from: edit.start, to: edit.end, insert: linesOf(edit.text)};
      editor.dispatch({changes, annotations: ours.of(true)});
    }),
    effect(() => {
      const found = [...faults.value, ...(chart.value?.path === path ? chartFaults.value : [])].filter(
        (fault) => fault.file === path && fault.line > 0,
      );
      const broken = chart.value?.path === path ? chart.value.fault : system.value?.path === path ? system.value.fault : null;
      const {doc} = editor.state;
      const ofLine = (line: number, severity: Diagnostic['severity'], message: string): Diagnostic => {
        const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
        return {from: at.from + (/^\s*/.exec(at.text)?.[0].length ?? 0), to: at.to, severity, message};
      };
      const diagnostics = found.map((fault) => ofLine(fault.line, isError(fault) ? 'error' : 'warning', describeFault(fault)));
      if (broken && !found.length) diagnostics.push(ofLine(broken.line, 'error', broken.text));
      editor.dispatch(setDiagnostics(editor.state, diagnostics));
    }),
    effect(() => {
      view.value;
      chosen.value;
      const place = placeOfChoice(path);
      const scroll = place && !editor.hasFocus ? [EditorView.scrollIntoView(place.from, {y: 'nearest', yMargin: 40})] : [];
      editor.dispatch({effects: [showLines.of(place), ...scroll]});
    }),
    effect(() => {
      revision.value;
    }),
  ];
  return () => {
    for (const end of ends) end();
    editor.destroy();
  };
}

/** Where the text has what is chosen on the sheet. */
function placeOfChoice(path: string): {from: number; to: number} | null {
  if (chart.value?.path === path) {
    const key = chosenTransition.value?.key ?? singleState.value?.key;
    const part = key === undefined || chart.value.fault ? undefined : chart.value.view.elementOf(key);
    return part ? {from: part.start, to: part.end} : null;
  }
  const now = system.peek();
  if (!now || now.path !== path || now.fault) return null;
  const name = single.value;
  const element = name === null ? undefined : now.view.elementOf(name);
  if (element) return {from: element.start, to: element.end};
  const line = lineView.value?.line.line;
  if (line === undefined) return null;
  const {doc} = EditorState.create({doc: project.text(path)});
  const {from, to} = doc.line(Math.min(line, doc.lines));
  return {from, to};
}

/** What stands in the line of the cursor is chosen on the sheet. */
function chooseAtLine(line: number): void {
  const openNow = chart.peek();
  if (openNow) {
    const owner = openNow.fault ? null : ownerOfLine(openNow.view, line);
    if (owner?.transition !== undefined) chooseTransition(owner.transition);
    else chooseStates(owner?.state === undefined ? [] : [owner.state]);
    return;
  }
  const now = system.peek();
  if (!now || now.fault) return;
  const joint = [...now.view.connects, ...now.view.routes].find((one) => one.line === line);
  if (joint) {
    chooseLine({from: joint.from, to: joint.to});
    return;
  }
  const text = project.text(now.path);
  const owners = [...now.view.components, ...[...now.view.notes.values()].map(({key, line}) => ({name: key, line}))];
  for (const {name, line: begin} of owners) {
    const element = now.view.elementOf(name);
    if (!element || begin > line) continue;
    if (line <= begin + text.slice(element.start, element.end).split('\n').length - 1) {
      choose([name]);
      return;
    }
  }
}
