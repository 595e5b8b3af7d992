import {signal} from '@preact/signals';

export const groupDialog = signal(false);
export const newDialog = signal(false);
export const helpDialog = signal(false);
