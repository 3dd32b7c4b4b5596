import { contactRules } from './rules/contacts.js';
import { directoryRules } from './rules/directory.js';
import { groupRules } from './rules/groups.js';
import { keyRules } from './rules/keys.js';
import { organizationRules } from './rules/organization.js';
import { permissionRules } from './rules/permissions.js';
import { refused, type Rules, type Verdict } from './rules/rule.js';
import { tableRules } from './rules/tables.js';
import type { Id, World } from './world.js';

/** A request of a random sequence. Ids are those of the model, codes are `$code:<id of the record>`. */
export interface Request {
  readonly n: number;
  /** `sig:<UserID>`, `key:<ApiKeyID>`, or empty without a token. */
  readonly credential: string;
  /** Below the organization's path; `clock` lets time pass instead. */
  readonly path: string;
  readonly body: any;
  /** Sent as the only command of a transaction, or first as a dry run. */
  readonly via?: 'transaction' | 'dry run';
}

export const RULES: Rules = {
  ...contactRules,
  ...groupRules,
  ...permissionRules,
  ...directoryRules,
  ...tableRules,
  ...keyRules,
  ...organizationRules,
};

/** What the contract says of a request now; its effect changes the model. */
export function expectedOf(world: World, request: Request, now: number): Verdict {
  const user = identityOf(world, request.credential, now);
  if (user === null) return refused(401);
  const [kind, id] = request.credential.split(/:(.*)/s) as [string, Id];
  const { body, n } = request;
  return RULES[request.path]!({ world, user, key: kind === 'key' ? id : null, body, now, n });
}

/** README.md, section 5: "Must exist in this drive, not revoked, begins_at ≤ now, and expires_at ≤ 0 or > now". */
export function identityOf(world: World, credential: string, now: number): Id | null {
  if (credential.startsWith('sig:')) return credential.slice(4);
  const key = world.keys.get(credential.slice(4));
  if (!key || key.is_revoked || key.begins_at > now) return null;
  return key.expires_at <= 0 || key.expires_at > now ? key.user_id : null;
}

/** contacts.md, table of redeem codes: valid until "the first call with a signature token of that id (whatever the call)". */
export function signedIn(world: World, credential: string): void {
  const contact = credential.startsWith('sig:') && world.contacts.get(credential.slice(4));
  if (contact && contact.is_placeholder === null) contact.has_code = false;
}
