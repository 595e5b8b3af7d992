import {useEffect} from 'preact/hooks';
import {Login} from '../../ui/login.tsx';
import {Notices} from '../../ui/notices.tsx';
import {PaneTabs, SkipLink, paneOf} from '../../ui/pane_tabs.tsx';
import {Splitter} from '../../ui/splitter.tsx';
import {panes} from '../../view/settings.ts';
import {ChartForm} from '../chart/chart_form.tsx';
import {ChartPane} from '../chart/chart_pane.tsx';
import {Form} from '../form/form.tsx';
import {PartForm} from '../mechanism/part_form.tsx';
import {TreePane} from '../mechanism/tree_pane.tsx';
import {mechanism} from '../mechanism/tree_state.ts';
import {PanelForm} from '../panel/panel_form.tsx';
import {PanelPalette, PanelPane} from '../panel/panel_pane.tsx';
import {isPanelOpen} from '../panel/panel_state.ts';
import {CompareView} from '../run/compare_view.tsx';
import {RunList} from '../run/run_list.tsx';
import {RunView} from '../run/run_view.tsx';
import {mode} from '../run/runs.ts';
import {Sheet} from '../sheet/sheet.tsx';
import {StudyForm} from '../study/study_form.tsx';
import {StudyResults} from '../study/study_results.tsx';
import {BenchResults} from '../study/bench_results.tsx';
import {bench, isStudyOpen, study} from '../study/study_state.ts';
import {current, info, loginNeeded, openChartPath} from '../state/workspace.ts';
import {ParameterTable} from '../table/parameter_table.tsx';
import {tableModel} from '../table/table_state.ts';
import {before} from '../version/version_state.ts';
import {VersionList} from '../version/version_list.tsx';
import {TextView} from '../text/text_view.tsx';
import {FindDialog} from '../find/find_dialog.tsx';
import {ConflictDialog} from './conflict_dialog.tsx';
import {ConnectDialog} from './connect_dialog.tsx';
import {FaultList} from './fault_list.tsx';
import {FileList} from './file_list.tsx';
import {listenToKeys} from './global_keys.ts';
import {Palette} from './palette.tsx';
import {showText} from './panes.ts';
import {GroupDialog, HelpDialog, NewDialog} from './small_dialogs.tsx';
import {TopBar} from './top_bar.tsx';

export function App() {
  useEffect(listenToKeys, []);
  if (loginNeeded.value)
    return (
      <>
        <Login />
        <Notices />
      </>
    );
  if (!info.value)
    return (
      <div class="waiting" role="status">
        Waiting for the server …
      </div>
    );
  return (
    <div class="app studio">
      {mode.value !== 'run' && <SkipLink />}
      <TopBar />
      {mode.value === 'run' ? <RunView /> : <Draw />}
      <ConnectDialog />
      <GroupDialog />
      <NewDialog />
      <HelpDialog />
      <FindDialog />
      <ConflictDialog />
      <Notices />
    </div>
  );
}

const kPanes = ['list', 'view', 'values'] as const;

function Draw() {
  const {left, right, text} = panes.value;
  const isStudy = isStudyOpen.value && openChartPath.value === null && current.value !== null && mode.value === 'draw';
  const ofStudy = isStudy ? (study.value ?? bench.value) : null;
  const path = ofStudy?.path ?? openChartPath.value ?? current.value;
  const isPanel =
    isPanelOpen.value && !isStudy && openChartPath.value === null && current.value !== null && mode.value === 'draw';
  const isTree = mechanism.value !== null && !isPanel && !isStudy && openChartPath.value === null && mode.value === 'draw';
  const hasTable =
    tableModel.value !== null && !isStudy && openChartPath.value === null && current.value !== null && mode.value === 'draw';
  const hasVersions =
    before.value !== undefined && !isStudy && openChartPath.value === null && current.value !== null && mode.value === 'draw';
  const hasResults = hasVersions || hasTable || ofStudy !== null;
  const hasText = showText.value && path !== null && mode.value === 'draw';
  return (
    <>
      <PaneTabs panes={kPanes} />
      <main
        class="panes"
        data-pane={paneOf(kPanes)}
        style={{gridTemplateColumns: `${left}px 5px minmax(0, 1fr) 5px ${right}px`}}
      >
        <div class="left-pane">
          <FileList />
          <RunList />
          {isPanel ? <PanelPalette /> : openChartPath.value === null && !isTree && <Palette />}
        </div>
        <Splitter pane="left" axis="x" sign={1} label="Width of the palette" />
        <div
          class="center"
          style={{
            gridTemplateRows: `minmax(80px, 1fr) auto${hasResults ? ` 5px ${text}px` : ''}${hasText ? ` 5px ${text}px` : ''}`,
          }}
        >
          {mode.value === 'compare' ? (
            <CompareView />
          ) : openChartPath.value !== null ? (
            <ChartPane path={openChartPath.value} />
          ) : current.value === null ? (
            <div class="waiting">Open a file of the list, or make a new one.</div>
          ) : isPanel ? (
            <PanelPane />
          ) : isTree ? (
            <TreePane />
          ) : (
            <Sheet />
          )}
          <div class="below-sheet">{mode.value === 'draw' && <FaultList />}</div>
          {hasResults && <Splitter pane="text" axis="y" sign={-1} label="Height of the results" />}
          {hasResults &&
            (hasVersions ? <VersionList /> : hasTable ? <ParameterTable /> : bench.value ? <BenchResults /> : <StudyResults />)}
          {hasText && <Splitter pane="text" axis="y" sign={-1} label="Height of the text" />}
          {hasText && <TextView key={path} path={path} />}
        </div>
        <Splitter pane="right" axis="x" sign={-1} label="Width of the form" />
        <aside class="inspector" id="inspector" tabIndex={-1} aria-label="Form">
          {openChartPath.value !== null ? (
            <ChartForm />
          ) : isStudy ? (
            <StudyForm />
          ) : isPanel ? (
            <PanelForm />
          ) : isTree ? (
            <PartForm />
          ) : (
            <Form />
          )}
        </aside>
      </main>
    </>
  );
}
