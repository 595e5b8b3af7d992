// What pages use of the document model.
export {EditRefused} from './project_types.ts';
export type {Project, ProjectChange, Step} from './project_types.ts';
export type * from './system_types.ts';
export type {XmlFault} from './xml/syntax.ts';
export {editBetween, type TextChange, type TextEdit} from './text_edit.ts';
export {linesOf} from './merge.ts';
export {makeProject} from './project.ts';
export {SharedText, type Received} from './shared_text.ts';
export {openSystem} from './system/edit_system.ts';
export {openChart} from './chart/edit_chart.ts';
export type * from './chart_types.ts';
export * from './study/edit_study.ts';
export {isNote, kPictureEnding} from './system/notes.ts';
