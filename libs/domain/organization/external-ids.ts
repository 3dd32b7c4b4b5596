import { sealedExternalIds } from '../contacts/by-external-id.js';
import { contactReads } from '../contacts/reads.js';
import type { Contact } from '../contacts/record.js';
import type { Context } from '../foundation/decision.js';
import { flag, listOf, type Shown, text, view } from '../kernel/view.js';

/** Maximum records listed for one external id. */
const MOST_IDS = 1000;

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

/** Resolves external ids to records that the caller may see, in the requested order. */
export function resolveExternalIds(
  context: Context,
  { external_ids }: ExternalIdsQuestion,
): ExternalIdsAnswer {
  const known = new Map<string, string[]>();
  const sealed = sealedExternalIds(context).upToDate();
  const results = external_ids.map((external_id) => {
    let internal_ids = known.get(external_id);
    if (!internal_ids)
      known.set(external_id, (internal_ids = idsBehind(context, sealed, external_id)));
    return presentResult(external_id, internal_ids);
  });
  return { results };
}

/** The matching ids, sorted, so that answers are deterministic. */
function idsBehind(
  context: Context,
  sealed: { where(external_id: string): readonly Contact[] },
  external_id: string,
): string[] {
  const contacts = sealed.where(external_id);
  const ids = contacts.filter((one) => contactReads.mayRead(context, one)).map(({ id }) => id);
  for (const { reads } of context.state.kinds.by_prefix.values())
    for (const record of context.state.table(reads.family)!.where('external_id', external_id))
      if (reads.mayRead(context, record)) ids.push(record.id);
  return ids.sort().slice(0, MOST_IDS);
}

function presentResult(external_id: string, internal_ids: string[]): ExternalIdResult {
  const success = internal_ids.length > 0;
  const message = success
    ? `Found ${internal_ids.length} record${internal_ids.length === 1 ? '' : 's'}`
    : 'No record that you may see has this external id';
  return { success, message, external_id, internal_ids };
}
