// Charts are components themselves: those of the system stand alone, that of a component is its child `chart`.
import type {Component} from '../api/types.ts';
import {components} from './session.ts';

/** The component that has the chart of a component: itself or its child; nothing where it has none. */
export function chartOf(component: Component): Component | undefined {
  if (component.chart) return component;
  const child = components.value.get(`${component.path}.chart`);
  return child?.chart ? child : undefined;
}

export const isChart = (component: Component): boolean => component.model === 'Statechart';

/** A chart that is shown with the component it belongs to. */
export const isPartOfAnother = (component: Component): boolean =>
  isChart(component) && component.parent !== '' && component.name === 'chart';
