import type { DiskSettings } from '../disks/commands.js';
import { type Giftcard, GIFTCARD_DEFAULTS, GIFTCARD_ID, type GiftcardFields } from './record.js';
import type { DriveState } from '../foundation/state.js';
import { event } from '../foundation/events.js';
import { type ById, decidedBy, namedCommands } from '../foundation/commands.js';
import { bundledDisk, refuseBundledDisk } from '../disks/bundled.js';
import { accept, type Caller, type Decider } from '../foundation/decision.js';
import { type Changes, changes, filled, isEmpty } from '../kernel/fields.js';
import { isRefusal, type Refusal, refuse } from '../kernel/refusal.js';
import { deletion, recordAnswers } from '../foundation/record-answers.js';
import { presentGiftcard } from './reads.js';

interface GiftcardSettings extends Omit<GiftcardFields, 'bundled_default_disk'> {
  bundled_default_disk: DiskSettings | null;
}

export interface CreateGiftcard extends Partial<GiftcardSettings> {
  fresh: { giftcard_id: string };
}

export interface UpdateGiftcard extends Changes<GiftcardSettings> {
  id: string;
}

/** Spends a card on a drive whose stream already exists, and registers that drive. */
export interface RedeemGiftcard {
  giftcard_id: string;
  drive_id: string;
  /** Revision of the card from which the drive was created. The drive lacks later changes of the card. */
  card_revision: number;
}

export const createGiftcard: Decider<CreateGiftcard> = ({ state, caller }, command) => {
  if (caller.via !== 'FACTORY') return refuse('forbidden');
  const { bundled_default_disk: disk, fresh } = command;
  const external_id = command.external_id || null;
  const invalid = refuseBundledDisk(disk) ?? refuseTaken(state, external_id, fresh.giftcard_id);
  if (invalid) return invalid;
  return accept(
    [caller.api_key_id ?? 'FACTORY'],
    event('GiftcardCreated', {
      giftcard_id: fresh.giftcard_id,
      ...filled(GIFTCARD_DEFAULTS, command),
      external_id,
      bundled_default_disk: disk ? bundledDisk(disk) : null,
    }),
  );
};

export const updateGiftcard: Decider<UpdateGiftcard> = ({ state, caller }, command) => {
  const allowed = administration(caller);
  if (!allowed) return refuse('forbidden');
  const { id, external_id, bundled_default_disk: disk } = command;
  if (!state.giftcards.has(id)) return refuse('giftcard-not-found');
  const fields = {
    ...changes(GIFTCARD_DEFAULTS, command),
    ...(external_id !== undefined && { external_id: external_id || null }),
    ...(disk !== undefined && { bundled_default_disk: disk && bundledDisk(disk) }),
  };
  if (isEmpty(fields)) return refuse('nothing-to-update');
  const invalid = refuseBundledDisk(disk) ?? refuseTaken(state, external_id || null, id);
  if (invalid) return invalid;
  return accept(allowed, event('GiftcardUpdated', { giftcard_id: id, ...fields }));
};

export const deleteGiftcard: Decider<ById> = ({ state, caller }, { id }) => {
  const allowed = administration(caller);
  if (!allowed) return refuse('forbidden');
  if (!state.giftcards.has(id)) return refuse('giftcard-not-found');
  return accept(allowed, event('GiftcardDeleted', { giftcard_id: id }));
};

export const redeemGiftcard: Decider<RedeemGiftcard> = ({ state, caller }, command) => {
  if (caller.via !== 'FACTORY') return refuse('forbidden');
  const { giftcard_id, drive_id } = command;
  const card = unspentCard(state, giftcard_id);
  if (isRefusal(card)) return card;
  if (card.revision !== command.card_revision) return refuse('precondition-failed');
  if (state.spawned_drives.has(drive_id)) return refuse('id-in-use');
  return accept(
    ['CODE'],
    event('GiftcardRedeemed', { giftcard_id, drive_id }),
    event('DriveSpawned', { drive_id }),
  );
};

/** The card, if it can still be redeemed. */
export function unspentCard(state: DriveState, giftcard_id: string): Giftcard | Refusal {
  const card = state.giftcards.get(giftcard_id);
  if (!card) return refuse('giftcard-not-found');
  if (card.drive_id !== null)
    return refuse('giftcard-redeemed', { pointer: '/giftcard_id', reason: 'is already redeemed' });
  return card;
}

/** The evidence for a factory administrator; null for other callers. */
function administration({ is_factory_admin, api_key_id }: Caller): string[] | null {
  return is_factory_admin && api_key_id ? [api_key_id] : null;
}

function refuseTaken(
  state: DriveState,
  external_id: string | null,
  own_id: string,
): Refusal | null {
  if (external_id === null) return null;
  const [holder] = state.giftcards.by('external_id', external_id);
  if (holder === undefined || holder === own_id) return null;
  return refuse('external-id-in-use', {
    pointer: '/external_id',
    reason: 'is already that of another gift card',
  });
}

const answers = recordAnswers('giftcards', presentGiftcard);

export const giftcardCommands = namedCommands({
  CreateGiftcard: decidedBy(createGiftcard, {
    generate: (fresh) => ({ giftcard_id: fresh.id(GIFTCARD_ID) }),
    answer: answers.created('GiftcardCreated', 'giftcard_id'),
  }),

  UpdateGiftcard: answers.update(updateGiftcard),

  DeleteGiftcard: deletion(deleteGiftcard),

  RedeemGiftcard: decidedBy<RedeemGiftcard, { drive_id: string }>(redeemGiftcard, {
    answer: (_, { drive_id }) => ({ drive_id }),
  }),
});
