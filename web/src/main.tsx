import 'uplot/dist/uPlot.min.css';
import './styles/theme.css';
import './styles/layout.css';
import './styles/controls.css';
import './styles/top_bar.css';
import './styles/tree.css';
import './styles/drawing.css';
import './styles/mechanism.css';
import './styles/inspector.css';
import './styles/panel.css';
import './styles/plots.css';
import './styles/records.css';
import {render} from 'preact';
import {start} from './live/session.ts';
import {App} from './ui/app.tsx';
import './view/settings.ts';

render(<App />, document.getElementById('app')!);
start();
