import type { SummaryContext } from '../foundation/summary-context.js';
import { FAMILIES } from './families.js';

const by_type = new Map(FAMILIES.flatMap(({ summaries }) => Object.entries(summaries)));

/** The summary of an event, as one plain English line. */
export function summarize(context: SummaryContext, type: string, data: unknown): string {
  const summary = by_type.get(type);
  // A newer release wrote the event, so this one does not know its content.
  return summary ? summary(context, data) : `${context.actor} did something of the type ${type}`;
}
