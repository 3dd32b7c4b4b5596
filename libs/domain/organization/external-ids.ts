import { sealedExternalIds } from '../contacts/by-external-id.js';
import { contactReads } from '../contacts/reads.js';
import type { Context } from '../foundation/decision.js';
import type { RecordBase } from '../kernel/record.js';
import { type Refusal, refuseField } from '../kernel/refusal.js';
import { flag, listOf, type Shown, text, view } from '../kernel/view.js';

/** Maximum records listed for one external id. */
const MOST_IDS = 1000;
/** Maximum records with the external ids of one request: all are examined in one turn of the event loop. */
export const MOST_MATCHES = 10_000;

export interface ExternalIdsQuestion {
  external_ids: readonly string[];
}

const externalIdResultView = view('ExternalId', {
  success: flag('True if at least one id was found'),
  message: text(),
  external_id: text(),
  internal_ids: listOf(text(), 'At most 1,000, by id'),
});
type ExternalIdResult = Shown<typeof externalIdResultView>;

export const externalIdsView = view('ExternalIds', {
  results: listOf(externalIdResultView, 'One for each requested id, in that order'),
});
export type ExternalIdsAnswer = Shown<typeof externalIdsView>;

/**
 * Resolves external ids to records that the caller may see, in the requested order. Refused if more than MOST_MATCHES
 * records have them.
 */
export function resolveExternalIds(
  context: Context,
  { external_ids }: ExternalIdsQuestion,
): ExternalIdsAnswer | Refusal {
  const { state } = context;
  const sealed = sealedExternalIds(context).upToDate();
  const families = [...state.kinds.by_prefix.values()].map(({ reads }) => ({
    table: state.table(reads.family)!,
    mayRead:
      reads.mayReadEach?.(context) ?? ((record: RecordBase) => reads.mayRead(context, record)),
  }));
  const found = new Map<string, string[]>();
  let examined = 0;
  for (const external_id of new Set(external_ids)) {
    const contacts = sealed.where(external_id);
    examined += contacts.length;
    for (const { table } of families) examined += table.count('external_id', external_id);
    if (examined > MOST_MATCHES)
      return refuseField(
        '/external_ids',
        `must match at most ${MOST_MATCHES} records`,
        MOST_MATCHES,
      );
    const ids = contacts.filter((one) => contactReads.mayRead(context, one)).map(({ id }) => id);
    for (const { table, mayRead } of families)
      for (const record of table.where('external_id', external_id))
        if (mayRead(record)) ids.push(record.id);
    // Sorted, so that answers are deterministic.
    found.set(external_id, ids.sort().slice(0, MOST_IDS));
  }
  return { results: external_ids.map((one) => presentResult(one, found.get(one)!)) };
}

function presentResult(external_id: string, internal_ids: string[]): ExternalIdResult {
  const success = internal_ids.length > 0;
  const message = success
    ? `Found ${internal_ids.length} record${internal_ids.length === 1 ? '' : 's'}`
    : 'No record that you may see has this external id';
  return { success, message, external_id, internal_ids };
}
