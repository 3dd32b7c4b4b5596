import type { DriveState } from '../../foundation/state.js';
import { PREFIX } from '../../kernel/ids.js';
import { type Refusal, refuse } from '../../kernel/refusal.js';
import type { FreshGrant } from '../commands.js';
import type { GranteeFields } from '../events.js';

/** A grantee with its code: placeholders get the fresh one, others have none. */
export function granteeFields(
  granted_to: string,
  { code, code_digest }: Pick<FreshGrant, 'code' | 'code_digest'>,
): GranteeFields {
  const is_placeholder = granted_to.startsWith(PREFIX.placeholder_grantee);
  return {
    granted_to,
    redeem_code: is_placeholder ? code : null,
    redeem_digest: is_placeholder ? code_digest : '',
  };
}

/** Refuses a group that does not exist. Users may arrive later. */
export function refuseUnknownGrantee(state: DriveState, granted_to: string): Refusal | null {
  if (!granted_to.startsWith(PREFIX.group) || state.groups.has(granted_to)) return null;
  return refuse('group-not-found', { pointer: '/granted_to', reason: 'is not a group here' });
}
