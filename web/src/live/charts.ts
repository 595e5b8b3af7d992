// Charts are components themselves: those of the system stand alone, that of a component is a part of it.
import type {Component} from '../api/types.ts';
import {components} from './session.ts';

/** The component that has the chart of a component: itself or a part of it; nothing where it has none. */
export function chartOf(component: Component): Component | undefined {
  if (component.chart) return component;
  for (const one of components.value.values()) {
    if (one.chart && one.parent === component.path) return one;
  }
  return undefined;
}

/** A chart that is shown with the component it belongs to. */
export const isPartOfAnother = (component: Component): boolean => component.chart && component.parent !== '';
