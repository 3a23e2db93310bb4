import type { OwnInput } from './call.ts';

/** How far back a history looks. */
export type HistoryRange = OwnInput<'queryCallHistory'>['range'];

// The compiler refuses a record that lacks a range, but not a list that does.
const isHistoryRange: Readonly<Record<HistoryRange, true>> = { hour: true, day: true, week: true };

export const historyRanges = Object.keys(isHistoryRange) as readonly HistoryRange[];
