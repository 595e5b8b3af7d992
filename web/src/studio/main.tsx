import 'uplot/dist/uPlot.min.css';
import '../styles/theme.css';
import '../styles/layout.css';
import '../styles/controls.css';
import '../styles/top_bar.css';
import '../styles/tree.css';
import '../styles/drawing.css';
import '../styles/mechanism.css';
import '../styles/inspector.css';
import '../styles/panel.css';
import '../styles/plots.css';
import '../styles/records.css';
import '../styles/travel.css';
import '../../../drawing/styles/symbols.css';
import './styles/sheet.css';
import './styles/studio.css';
import './styles/form.css';
import './styles/mechanism_tree.css';
import './styles/chart.css';
import './styles/study.css';
import {effect} from '@preact/signals';
import {render} from 'preact';
import '../view/settings.ts';
import {followRuns, readRuns} from './run/runs.ts';
import {startAssistant} from './state/assistant.ts';
import {startChoice} from './state/choice.ts';
import {followStudies} from './study/study_state.ts';
import {readModels} from './state/models.ts';
import {info, openFile, readFolder, startFollowing} from './state/workspace.ts';
import {App} from './ui/app.tsx';

render(<App />, document.getElementById('app')!);
startChoice();
startAssistant();
followRuns();
followStudies();
void readFolder().then(() => {
  const path = decodeURIComponent(location.hash.slice(1));
  if (path) void openFile(path);
});
startFollowing();
// Also after a login, or when the server comes later than the page.
effect(() => {
  if (!info.value) return;
  document.title = `${info.value.folder} · davit studio`;
  void readModels();
  void readRuns();
});
