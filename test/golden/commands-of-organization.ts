import type { Credential } from '../../libs/domain/access/caller.js';
import { contactCommands } from '../../libs/domain/contacts/commands.js';
import { bundledDisk } from '../../libs/domain/disks/bundled.js';
import type { CommandDefinition } from '../../libs/domain/foundation/decision.js';
import { factoryCommands } from '../../libs/domain/factory/commands.js';
import { giftcardCommands } from '../../libs/domain/giftcards/commands.js';
import { organizationCommands } from '../../libs/domain/organization/commands.js';
import { FACTORY_ID } from '../../libs/engine/fold/fold.js';
import { sha256 } from '../../libs/engine/proofs/hashing.js';
import { FACTORY, spawnCommand } from '../../libs/engine/testing/engine.js';
import { apiKey, DAY_MS, disk, GIFT_DRIVE, GOLDEN_DRIVE, type GoldenRun, type Steps } from './golden-run.js';

/** An organization with a member and a disk. */
export const spawning = {
  async SpawnDrive({ spec }) {
    await spec.drives.commands.spawn(
      GOLDEN_DRIVE,
      {
        definition: factoryCommands.SpawnDrive,
        command: {
          ...spawnCommand(GOLDEN_DRIVE),
          email: 'org@example.com',
          quickstart: {
            members: [
              {
                user_id: 'UserID_member',
                name: 'Mia Member',
                fresh: {
                  subject_key_id: 'subject-member',
                  everyone_invite_id: 'GroupInviteID_member',
                  api_key: apiKey(1),
                },
              },
            ],
            disk: { name: 'First', disk_type: 'LOCAL_SSD', auth_json: '{"secret":1}' },
            fresh: { api_key: apiKey(2), disk: disk(1) },
          },
        },
      },
      { definition: factoryCommands.NameDrive, command: { drive_id: GOLDEN_DRIVE } },
      FACTORY,
    );
  },
  // With the drive.
  async NameDrive() {},
} satisfies Steps;

const { TransferOwnership, UpdateAllowedDomains, NotifyInbox, CreateShortlink, RemoveShortlink } =
  organizationCommands;

/** Commands of the organization itself. */
export const organization = {
  UpdateAllowedDomains: ({ run }) =>
    run(UpdateAllowedDomains, { allowed_domains: 'example.com' }),
  NotifyInbox: ({ run }) =>
    run(NotifyInbox, {
      topic: 'invoice',
      payload: { amount: 12.5, lines: [1, null, 'x'] },
      fresh: { inbox_notif_id: 'InboxNotifID_1' },
    }),
  async CreateShortlink({ run }) {
    for (const slug of ['abc', 'def'])
      await run(CreateShortlink, { original_url: 'https://example.com/', fresh: { slug } });
  },
  RemoveShortlink: ({ run }) => run(RemoveShortlink, { slug: 'def' }),
  RecordReindex: ({ run }) =>
    run(
      organizationCommands.RecordReindex,
      { events_folded: 40, documents_written: 30 },
      { kind: 'system' },
    ),
  SuperswapUser: ({ run }) =>
    run(organizationCommands.SuperswapUser, {
      current_user_id: 'UserID_ben',
      new_user_id: 'UserID_benjamin',
    }),
  DeleteContact: ({ run }) => run(contactCommands.DeleteContact, { id: 'UserID_anna' }),
  async TransferOwnership({ run, spec }) {
    const transfer = {
      next_owner_id: 'UserID_member',
      fresh: { subject_key_id: 'subject-next', everyone_invite_id: 'GroupInviteID_next' },
    };
    await run(TransferOwnership, transfer);
    await run(TransferOwnership, { cancel: true, fresh: transfer.fresh });
    await run(TransferOwnership, transfer);
    spec.now += 2 * DAY_MS;
    await run(TransferOwnership, transfer);
  },
  async EraseContact({ run }) {
    // One deleted before, one by a former id.
    for (const id of ['UserID_anna', 'UserID_ben'])
      await run(
        contactCommands.EraseContact,
        { id },
        { kind: 'signature', user_id: 'UserID_member' },
      );
  },
} satisfies Steps;

const cards = giftcardCommands;
const CARD_DISK = { name: 'Gift', disk_type: 'LOCAL_SSD', auth_json: '{"gift":1}' } as const;
const IMPORTED = { drive_id: 'DriveID_imported' };

function inFactory<Command, Answer>(
  { run }: GoldenRun,
  definition: CommandDefinition<Command, Answer>,
  command: NoInfer<Command>,
): Promise<void> {
  const admin: Credential = {
    kind: 'factory',
    key: { id: 'FactoryApiKeyID_golden', is_admin: true },
  };
  return run(definition, command, admin, FACTORY_ID);
}

/** Gift cards, the organization that one spawns, and an import. */
export const factory = {
  async CreateGiftcard(golden) {
    await inFactory(golden, cards.CreateGiftcard, {
      usd_revenue_cents: 4900,
      note: 'spring sale',
      external_id: 'shop-1',
      bundled_default_disk: CARD_DISK,
      fresh: { giftcard_id: 'GiftcardSpawnOrgID_1' },
    });
    for (const nth of [2, 3])
      await inFactory(golden, cards.CreateGiftcard, {
        fresh: { giftcard_id: `GiftcardSpawnOrgID_${nth}` },
      });
  },
  UpdateGiftcard: (golden) =>
    inFactory(golden, cards.UpdateGiftcard, {
      id: 'GiftcardSpawnOrgID_2',
      note: 'never sold',
      bundled_default_disk: { name: 'Other', disk_type: 'ICP_CANISTER', auth_json: '{"other":2}' },
    }),
  DeleteGiftcard: (golden) =>
    inFactory(golden, cards.DeleteGiftcard, { id: 'GiftcardSpawnOrgID_3' }),
  async RedeemGiftcard({ spec }) {
    await spec.drives.commands.spawn(
      GIFT_DRIVE,
      {
        definition: factoryCommands.SpawnDrive,
        command: { ...spawnCommand(GIFT_DRIVE), bundled_default_disk: bundledDisk(CARD_DISK) },
      },
      {
        definition: cards.RedeemGiftcard,
        command: { giftcard_id: 'GiftcardSpawnOrgID_1', drive_id: GIFT_DRIVE, card_revision: 1 },
      },
      FACTORY,
    );
  },
  BeginImport: (golden) => inFactory(golden, factoryCommands.BeginImport, IMPORTED),
  EndImport(golden) {
    const end = { revision: 7, chain_hash: sha256('the last event').toString('hex') };
    return inFactory(golden, factoryCommands.EndImport, { ...IMPORTED, ...end });
  },
  RedeemOrganization: ({ run }) =>
    run(
      organizationCommands.RedeemOrganization,
      { redeem_digest: 'digest-of-spawn', fresh: { api_key: apiKey(6), disk: disk(4) } },
      { kind: 'code' },
      GIFT_DRIVE,
    ),
} satisfies Steps;
