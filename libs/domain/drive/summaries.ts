import type { Telling } from '../foundation/telling.js';
import { FAMILIES } from './families.js';

const by_type = new Map(FAMILIES.flatMap(({ summaries }) => Object.entries(summaries)));

/** What happened, as one plain English line. */
export function summarize(told: Telling, type: string, data: unknown): string {
  const summary = by_type.get(type);
  // A newer release wrote it: nothing more can be said here.
  return summary ? summary(told, data) : `${told.actor} did something of the type ${type}`;
}
