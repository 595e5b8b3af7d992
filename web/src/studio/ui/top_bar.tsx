import {DisplayButtons} from '../../ui/display_buttons.tsx';
import {PlayIcon} from '../../ui/icons.tsx';
import {checkTime, faults, isChecking} from '../state/assistant.ts';
import {mirrorChosen, redo, removeChosen, rotateBy, undo} from '../state/edits.ts';
import {isError} from '../state/fault_places.ts';
import {chosen, chosenLine} from '../state/choice.ts';
import {current, info, leaveTo, online, openChartPath, project, revision, trail, unsaved} from '../state/workspace.ts';
import {changedOnDisk, compareWithDisk, saveAll} from '../state/saving.ts';
import {backToDrawing, isStarting, mode, startRun} from '../run/runs.ts';
import {findDialog} from '../find/find_dialog.tsx';
import {isPanelOpen, openPanel} from '../panel/panel_state.ts';
import {isStudyOpen, openStudies} from '../study/study_state.ts';
import {before, closeVersions} from '../version/version_state.ts';
import {showText} from './panes.ts';
import {groupDialog, helpDialog} from './dialogs_state.ts';
import {People} from './people.tsx';

export function TopBar() {
  revision.value;
  const isDrawing = mode.value === 'draw';
  const isLocked = info.value?.read_only ?? false;
  const undoStep = project.undoSteps[0];
  const redoStep = project.redoSteps[0];
  return (
    <header class="top-bar studio-bar">
      <Trail />
      <div class="group" role="group" aria-label="File">
        <button
          onClick={() => saveAll()}
          disabled={!unsaved.value.length || isLocked}
          title={unsaved.value.length ? `Save ${unsaved.value.join(', ')} (Ctrl-S)` : 'All changes are saved'}
        >
          Save{unsaved.value.length > 1 ? ` ${unsaved.value.length}` : ''}
        </button>
      </div>
      {isDrawing && (
        <>
          <div class="group" role="group" aria-label="History">
            <button
              onClick={undo}
              disabled={!project.canUndo}
              title={undoStep ? `Undo: ${undoStep.label} (Ctrl-Z)` : 'Nothing to undo'}
            >
              Undo
            </button>
            <button
              onClick={redo}
              disabled={!project.canRedo}
              title={redoStep ? `Redo: ${redoStep.label} (Ctrl-Shift-Z)` : 'Nothing to redo'}
            >
              Redo
            </button>
          </div>
          <div class="group" role="group" aria-label="Selected components">
            <button onClick={() => rotateBy(90)} disabled={!chosen.value.size} title="Rotate (R)">
              Rotate
            </button>
            <button onClick={mirrorChosen} disabled={!chosen.value.size} title="Mirror (M)">
              Mirror
            </button>
            <button
              onClick={() => {
                groupDialog.value = true;
              }}
              disabled={!chosen.value.size}
              title="Group into a sub-system (Ctrl-G)"
            >
              Group
            </button>
            <button onClick={removeChosen} disabled={!chosen.value.size && !chosenLine.value} title="Remove (Delete)">
              Remove
            </button>
          </div>
          <button
            aria-pressed={showText.value}
            onClick={() => {
              showText.value = !showText.value;
            }}
            title="Show the text of the file next to the drawing"
          >
            Text
          </button>
          <button
            aria-pressed={isPanelOpen.value}
            disabled={current.value === null || openChartPath.value !== null}
            onClick={() => {
              if (isPanelOpen.value) isPanelOpen.value = false;
              else openPanel();
              isStudyOpen.value = false;
            }}
            title="Draw the panel of an operator"
          >
            Panel
          </button>
          <button
            aria-pressed={isStudyOpen.value}
            disabled={current.value === null || openChartPath.value !== null}
            onClick={() => {
              if (isStudyOpen.value) isStudyOpen.value = false;
              else void openStudies();
            }}
            title="Sweep, optimise, fit: many runs of this system"
          >
            Studies
          </button>
          <button
            aria-pressed={before.value !== undefined}
            disabled={current.value === null || openChartPath.value !== null || isStudyOpen.value}
            onClick={() => {
              if (before.value !== undefined) closeVersions();
              else before.value = null;
            }}
            title="What differs from the saved file or from another file, on the canvas and as a list"
          >
            Versions
          </button>
        </>
      )}
      {mode.value === 'draw' ? (
        <button
          class="is-main"
          disabled={current.value === null || isStarting.value}
          onClick={() => startRun()}
          title="Run it (Ctrl-Enter)"
        >
          <PlayIcon />
          Run
        </button>
      ) : (
        <button class="is-main" onClick={backToDrawing} title="Back to drawing (Ctrl-Enter)">
          Draw
        </button>
      )}
      <Checked />
      {isLocked && <span class="tag">read only</span>}
      {[...changedOnDisk.value].map((path) => (
        <button key={path} class="tag" onClick={() => compareWithDisk(path)} title="Show both texts">
          {path} has changed on disk
        </button>
      ))}
      {!online.value && (
        <span class="status is-lost" role="alert">
          no connection: edits are kept here
        </span>
      )}
      <span class="spacer" />
      <People />
      {isDrawing && (
        <button
          onClick={() => {
            findDialog.value = true;
          }}
          title="Find and replace in all files of the folder (Ctrl-Shift-F)"
        >
          Find
        </button>
      )}
      <button
        onClick={() => {
          helpDialog.value = true;
        }}
        title="Keyboard"
      >
        Keys
      </button>
      {mode.value !== 'run' && <DisplayButtons />}
    </header>
  );
}

/** The file, and the sub-systems that were opened inside it. */
function Trail() {
  const places = trail.value;
  return (
    <nav class="trail" aria-label="Position of the canvas">
      {!places.length && <h1>davit studio</h1>}
      {places.map(({path, within}, depth) => {
        const text = depth === 0 ? path : within.at(-1)!;
        const isLast = depth === places.length - 1 && openChartPath.value === null;
        return (
          <span key={depth}>
            {depth > 0 && <span class="muted"> › </span>}
            {isLast ? (
              <h1 title={path}>
                {text}
                {unsaved.value.includes(path) ? ' •' : ''}
              </h1>
            ) : (
              <button class="plain link" onClick={() => leaveTo(depth)}>
                {text}
              </button>
            )}
          </span>
        );
      })}
      {openChartPath.value !== null && (
        <span>
          <span class="muted"> › </span>
          <h1>{openChartPath.value}</h1>
        </span>
      )}
    </nav>
  );
}

function Checked() {
  const errors = faults.value.filter(isError).length;
  const warnings = faults.value.length - errors;
  if (current.value === null) return null;
  const text = errors
    ? `${errors} ${errors === 1 ? 'error' : 'errors'}`
    : warnings
      ? `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`
      : 'can run';
  return (
    <span
      class={`status check ${errors ? 'is-failed' : warnings ? 'is-paused' : 'is-running'}`}
      role="status"
      data-checking={isChecking.value}
      title={`Checked in ${checkTime.value.toFixed(0)} ms`}
    >
      {text}
    </span>
  );
}
