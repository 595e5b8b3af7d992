import {signal} from '@preact/signals';

/** Runs that are laid over each other. */
export const compared = signal<readonly number[]>([]);
export const comparedSignals = signal<readonly string[]>([]);
