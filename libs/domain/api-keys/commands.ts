import type { Fresh, FreshToken } from '../foundation/fresh.js';
import { PREFIX } from '../kernel/ids.js';
import type { Opened } from '../kernel/sealed.js';
import { API_KEY_DEFAULTS, type ApiKey, type ApiKeyFields } from './record.js';
import { type DomainEvent, event } from '../foundation/events.js';
import { type ById, decidedBy, namedCommands } from '../foundation/commands.js';
import { Access, type Evidence } from '../access/access.js';
import { accept, type Context, type Decider } from '../foundation/decision.js';
import { type Changes, changes, filled, isEmpty } from '../kernel/fields.js';
import { type Refusal, refuse, refuseField, refuseIdInUse } from '../kernel/refusal.js';
import { pendingOwner } from '../relations/ownership-transfer.js';
import { deletion, recordAnswers } from '../foundation/record-answers.js';
import { type ApiKeyView, presentApiKey } from './reads.js';

/** A key generated for this command. The token is shown once; the other members are stored. */
export interface FreshApiKey extends FreshToken {
  api_key_id: string;
}

export function freshApiKey(fresh: Fresh): FreshApiKey {
  return { api_key_id: fresh.id(PREFIX.api_key), ...fresh.token() };
}

export interface CreateApiKey extends Partial<Opened<ApiKeyFields>> {
  id?: string;
  name: string;
  /** Absent: the caller. */
  user_id?: string;
  fresh: FreshApiKey;
}

export interface UpdateApiKey extends Changes<typeof API_KEY_DEFAULTS> {
  id: string;
  name?: string;
  begins_at?: number;
  expires_at?: number;
  is_revoked?: boolean;
}

/** Name of the key that the service creates for the owner of a new organization. */
export const ADMIN_KEY_NAME = 'Default Admin Key for Spawned Drive';

/** The expiry of a key, ms; -1 = never. Some clients send 0 for "never". */
export function endOf(expires_at: number): number {
  return expires_at <= 0 ? -1 : expires_at;
}

/**
 * The event of a key that the service creates. It is valid from `begins_at`, and by default never expires.
 * @param created_by another person who receives the key, if any
 */
export function serviceKeyCreated(
  user_id: string,
  name: string,
  fresh: FreshApiKey,
  begins_at: number,
  expires_at = -1,
  created_by: string | null = null,
): DomainEvent {
  const { api_key_id, digest, last4 } = fresh;
  return event('ApiKeyCreated', {
    api_key_id,
    digest,
    last4,
    user_id,
    created_by,
    subject_key_id: null,
    name,
    private_note: null,
    begins_at,
    expires_at,
    external_id: null,
    external_payload: null,
  });
}

export const createApiKey: Decider<CreateApiKey> = (context, command) => {
  const { state, caller, now } = context;
  const user_id = command.user_id ?? caller.user_id;
  const expires_at = endOf(command.expires_at ?? -1);
  const past = refusePast(expires_at, now);
  if (past) return past;
  const access = Access.of(context);
  const allowed = mayMakeKeyFor(context, access, user_id);
  if (!allowed) return access.denied();
  if (!state.contacts.has(user_id))
    return refuse('contact-not-found', { pointer: '/user_id', reason: 'is no contact' });
  const outliving = refuseOutliving(context, expires_at);
  if (outliving) return outliving;
  if (command.id && state.isUsed(state.api_keys, command.id)) return refuseIdInUse();
  return accept(
    allowed,
    event('ApiKeyCreated', {
      api_key_id: command.id ?? command.fresh.api_key_id,
      digest: command.fresh.digest,
      last4: command.fresh.last4,
      user_id,
      created_by: makerOf(context),
      subject_key_id: null,
      name: command.name,
      begins_at: command.begins_at ?? now,
      expires_at,
      ...filled(API_KEY_DEFAULTS, command),
    }),
  );
};

/**
 * The user who has the key made. Somebody who made a key for another user could make more with it: all of them are of
 * the maker of the first, and end with it when its user becomes the owner.
 */
export function makerOf({ state, caller }: Context): string {
  const { api_key_id, user_id } = caller;
  const key = api_key_id === null ? undefined : state.api_keys.get(api_key_id);
  return key?.created_by ?? user_id;
}

export const updateApiKey: Decider<UpdateApiKey> = (context, command) => {
  const expires_at = command.expires_at === undefined ? undefined : endOf(command.expires_at);
  const past = refusePast(expires_at, context.now);
  if (past) return past;
  const key = context.state.api_keys.get(command.id);
  if (!key) return refuse('api-key-not-found');
  const access = Access.of(context);
  const revives = key.is_revoked && command.is_revoked === false;
  const allowed = access.owner() ?? (revives ? null : access.self(key.user_id));
  if (!allowed) return access.denied();
  // Restoring a revoked key is equivalent to creating one.
  const outliving = refuseOutliving(context, expires_at ?? (revives ? key.expires_at : undefined));
  if (outliving) return outliving;
  const fields = {
    ...changes(API_KEY_DEFAULTS, command, 'name', 'begins_at', 'is_revoked'),
    ...(expires_at !== undefined && { expires_at }),
  };
  if (isEmpty(fields)) return refuse('nothing-to-update');
  return accept(allowed, event('ApiKeyUpdated', { api_key_id: key.id, ...fields }));
};

export const deleteApiKey: Decider<ById> = (context, command) => {
  const key = context.state.api_keys.get(command.id);
  if (!key) return refuse('api-key-not-found');
  const access = Access.of(context);
  const allowed = mayManageKey(access, key);
  if (!allowed) return access.denied();
  return accept(allowed, event('ApiKeyDeleted', { api_key_id: key.id }));
};

/** The key's user and the owner may manage a key. */
function mayManageKey(access: Access, key: ApiKey): Evidence | null {
  return access.owner() ?? access.self(key.user_id);
}

/**
 * A key acts as its user. A key for the owner or the pending owner can therefore only be created by that same user,
 * whatever permissions others hold.
 */
function mayMakeKeyFor(context: Context, access: Access, user_id: string): Evidence | null {
  const { state, caller } = context;
  if (user_id === caller.user_id)
    return access.owner() ?? (state.contacts.has(user_id) ? access.self(user_id) : null);
  const allowed = access.owner() ?? access.system('CREATE', 'TABLE_API_KEYS');
  // Decided last, so that nobody without that right learns who they are.
  const reserved = [state.organization.owner_id, pendingOwner(context)];
  return reserved.includes(user_id) ? null : allowed;
}

function refusePast(expires_at: number | undefined, now: number): Refusal | null {
  if (expires_at === undefined || expires_at <= 0 || expires_at > now) return null;
  return refuseField('/expires_at', 'must be -1 or in the future');
}

/** Refuses a key that would outlive the key of the call. */
function refuseOutliving(
  { caller: { key_expires_at } }: Context,
  expires_at: number | undefined,
): Refusal | null {
  if (expires_at === undefined || key_expires_at <= 0) return null;
  if (expires_at > 0 && expires_at <= key_expires_at) return null;
  return refuse('ceiling', {
    pointer: '/expires_at',
    reason: 'ends later than the key of this call',
  });
}

const answers = recordAnswers('api_keys', presentApiKey);
const presentCreated = answers.created('ApiKeyCreated', 'api_key_id');

export const apiKeyCommands = namedCommands({
  CreateApiKey: decidedBy<CreateApiKey, ApiKeyView>(createApiKey, {
    generate: freshApiKey,
    // The only answer that contains the token.
    answer(context, command, events) {
      const view = presentCreated(context, command, events);
      return context.masked ? view : { ...view, value: command.fresh.value };
    },
  }),

  UpdateApiKey: answers.update(updateApiKey),

  DeleteApiKey: deletion(deleteApiKey),
});
