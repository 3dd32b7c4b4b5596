import type { RecordFamily } from '../foundation/record-of.js';
import { FAMILIES } from './families.js';

/** Families whose records carry labels and are found by external id. */
export const RECORD_FAMILIES: readonly RecordFamily[] = FAMILIES.flatMap(
  ({ labelled = [] }) => labelled,
);

const by_name = new Map(RECORD_FAMILIES.map((family) => [family.reads.family, family]));

/** The family of that API name, undefined where its records carry neither labels nor external ids. */
export function recordFamily(name: string): RecordFamily | undefined {
  return by_name.get(name);
}
