import type { SystemType } from '../kernel/permission-types.js';
import type { Context } from '../foundation/decision.js';
import type { Refusal } from '../kernel/refusal.js';
import { Access } from './access.js';
import { denial } from './reasons.js';
import { MissingRights } from '../foundation/missing-rights.js';

/** Like `denial`, for a boolean rule: it is evaluated again, and its failed checks are recorded. */
export function deniedBy(
  context: Context,
  rule: (context: Context) => unknown,
  ...named: string[]
): Refusal {
  const missing = new MissingRights();
  rule({ ...context, missing });
  return denial(Access.of(context), missing, named);
}

/** Refuses callers other than the owner who lack a system type on a table or record. */
export function refuseWithout(
  context: Context,
  type: SystemType,
  resource_id: string,
): Refusal | null {
  const access = Access.of(context);
  return access.can(type, resource_id) ? null : access.denied();
}
