// The scale of pressures that the drawing uses now.
import {computed} from '@preact/signals';
import {system} from '../../live/session.ts';
import {pressureScales} from '../../view/settings.ts';
import {niceCeiling, type Range} from './pressure_scale.ts';

const kFirst = 1e5; // Pa

const scale = computed(() => pressureScales.value[system.value?.name ?? ''] ?? {seen: kFirst});

export const chosenPressure = computed(() => scale.value.chosen);
export const pressureRange = computed<Range>(() => ({low: 0, high: scale.value.chosen ?? scale.value.seen}));

const set = (changed: {seen: number; chosen?: number}) => {
  if (system.value) pressureScales.value = {...pressureScales.value, [system.value.name]: changed};
};

/** The scale grows to the next round number, and never shrinks by itself: a colour keeps its meaning. */
export function sawPressure(largest: number): void {
  if (largest > scale.peek().seen) set({...scale.peek(), seen: niceCeiling(largest)});
}

/** A fixed end [Pa]; undefined: the largest pressure that was seen from now on. */
export const choosePressure = (chosen: number | undefined): void =>
  set(chosen === undefined ? {seen: kFirst} : {...scale.value, chosen});
