import type { ShownPoint } from '../../../libs/application/access/queried-point.js';
import {
  type Because,
  type Source as Reason,
} from '../../../libs/domain/access-questions/because.js';
import type { DeniedGrant } from '../../../libs/domain/access-questions/explain.js';
import type { AccessPointView } from '../../../libs/application/access/questions.js';
import type { Names } from './names.js';
import { time } from './terminal.js';

/** `VIEW`, `VIEW and EDIT`, `VIEW, EDIT and DELETE`. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1);
  return words.length < 2 ? (last ?? '') : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** `1 content`, `2 contents`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Reason of a permission: `through the group Finance, invited by Ada; granted by Bob`. */
export function why(reason: Reason, names: Names): string {
  const { via, granted_by, invite_id, inherited_from, begin_date_ms, expiry_date_ms } = reason;
  if (via === 'OWNER') return 'as the owner of the organization';
  const parts: string[] = [];
  if (via === 'PUBLIC') parts.push('as everybody');
  else if (via !== 'DIRECT') {
    const inviter = invite_id === null ? null : names.inviterOf(invite_id);
    const how =
      invite_id === null ? ', which they own' : inviter ? `, invited by ${names.of(inviter)}` : '';
    parts.push(`through ${names.of(via)}${how}`);
  }
  const place =
    inherited_from && (names.path(inherited_from.path) || names.of(inherited_from.folder_id));
  if (granted_by !== null)
    parts.push(`granted by ${names.of(granted_by)}${place ? ` on ${place}` : ''}`);
  if (begin_date_ms > 0) parts.push(`from ${time(begin_date_ms)}`);
  if (expiry_date_ms > 0) parts.push(`until ${time(expiry_date_ms)}`);
  return parts.join(', ');
}

/** Every type with its reasons, types with equal reasons together: `VIEW and EDIT: granted by Ada`. */
export function because(reasons: Because, names: Names): string[] {
  const types = new Map<string, string[]>();
  for (const [type, sources] of Object.entries(reasons))
    for (const reason of sources) {
      const sentence = why(reason, names);
      const known = types.get(sentence) ?? [];
      if (!known.includes(type)) known.push(type);
      types.set(sentence, known);
    }
  return [...types].map(([sentence, held]) => `${listed(held)}: ${sentence}`);
}

const DENIED: Readonly<Record<DeniedGrant['reason'], string>> = {
  NOT_BEGUN: 'it had not started',
  EXPIRED: 'it had ended',
  NOT_INHERITABLE: 'it does not apply to the content',
  SOVEREIGN_FOLDER: 'a folder in between has permissions of its own',
  NOT_REDEEMED: 'its code was not redeemed',
  NOT_A_MEMBER: 'they were not a member of that group',
};

/** Reason why a grant did not apply. */
export function denied(grant: DeniedGrant, names: Names): string {
  const { permission_types, granted_to, granted_by, resource_id, reason } = grant;
  return (
    `${listed(permission_types)} for ${names.of(granted_to)} on ${names.of(resource_id)}, ` +
    `granted by ${names.of(granted_by)}: ${DENIED[reason]}`
  );
}

/** A sentence for each requested record that does not exist at the point. */
export function existence({ existed }: Pick<AccessPointView, 'existed'>): string[] {
  if (!existed) return [];
  const { from_ms, to_ms } = existed;
  const span =
    to_ms < 0 ? `exists since ${time(from_ms)}` : `existed from ${time(from_ms)} to ${time(to_ms)}`;
  return [`The resource does not exist at this point: it ${span}.`];
}

/** `Bob could VIEW`, or at present `Bob can VIEW`. */
export function can(types: readonly string[], is_past: boolean): string {
  const verb = is_past ? 'could' : 'can';
  return types.length > 0 ? `${verb} ${listed(types)}` : `${verb} do nothing with`;
}

/** The heading of an answer: its point. */
export function asOf({ revision, at_ms }: ShownPoint): string {
  return `As of revision ${revision}${at_ms === null ? '' : `, ${time(at_ms)}`}.`;
}
