import type { Credential } from '../../libs/domain/access/caller.js';
import { contactCommands } from '../../libs/domain/contacts/commands.js';
import { bundledDisk } from '../../libs/domain/disks/bundled.js';
import type { CommandDefinition } from '../../libs/domain/foundation/decision.js';
import { factoryCommands } from '../../libs/domain/factory/commands.js';
import { giftcardCommands } from '../../libs/domain/giftcards/commands.js';
import { organizationCommands } from '../../libs/domain/organization/definitions.js';
import { FACTORY_ID } from '../../libs/engine/fold/fold.js';
import { sha256 } from '../../libs/engine/proofs/hashing.js';
import { FACTORY, spawnCommand } from '../../libs/engine/testing/engine.js';
import { apiKey, DAY_MS, disk, GIFT_DRIVE, GOLDEN_DRIVE, type GoldenRun } from './golden-run.js';

/** An organization with a member and a disk. */
export async function spawnGolden({ spec }: GoldenRun): Promise<void> {
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
}

/** Commands of the organization itself. */
export async function runOrganization({ run, spec }: GoldenRun): Promise<void> {
  const organization = organizationCommands;
  await run(organization.UpdateAllowedDomains, { allowed_domains: 'example.com' });
  await run(organization.NotifyInbox, {
    topic: 'invoice',
    payload: { amount: 12.5, lines: [1, null, 'x'] },
    fresh: { inbox_notif_id: 'InboxNotifID_1' },
  });
  for (const slug of ['abc', 'def'])
    await run(organization.CreateShortlink, {
      original_url: 'https://example.com/',
      fresh: { slug },
    });
  await run(organization.RemoveShortlink, { slug: 'def' });
  const reindex = { events_folded: 40, documents_written: 30 };
  await run(organization.RecordReindex, reindex, { kind: 'system' });
  await run(organization.SuperswapUser, {
    current_user_id: 'UserID_ben',
    new_user_id: 'UserID_benjamin',
  });
  await run(contactCommands.DeleteContact, { id: 'UserID_anna' });
  const transfer = {
    next_owner_id: 'UserID_member',
    fresh: { subject_key_id: 'subject-next', everyone_invite_id: 'GroupInviteID_next' },
  };
  await run(organization.TransferOwnership, transfer);
  await run(organization.TransferOwnership, { cancel: true, fresh: transfer.fresh });
  await run(organization.TransferOwnership, transfer);
  spec.now += 2 * DAY_MS;
  await run(organization.TransferOwnership, transfer);
  // One deleted before, one by a former id.
  for (const id of ['UserID_anna', 'UserID_ben'])
    await run(contactCommands.EraseContact, { id }, { kind: 'signature', user_id: 'UserID_member' });
}

/** Gift cards, the organization that one spawns, and an import. */
export async function runFactory({ run, spec }: GoldenRun): Promise<void> {
  const admin: Credential = {
    kind: 'factory',
    key: { id: 'FactoryApiKeyID_golden', is_admin: true },
  };
  const inFactory = <Command, Answer>(
    definition: CommandDefinition<Command, Answer>,
    command: NoInfer<Command>,
  ) => run(definition, command, admin, FACTORY_ID);
  const card_disk = { name: 'Gift', disk_type: 'LOCAL_SSD', auth_json: '{"gift":1}' } as const;
  const cards = giftcardCommands;
  await inFactory(cards.CreateGiftcard, {
    usd_revenue_cents: 4900,
    note: 'spring sale',
    external_id: 'shop-1',
    bundled_default_disk: card_disk,
    fresh: { giftcard_id: 'GiftcardSpawnOrgID_1' },
  });
  await inFactory(cards.CreateGiftcard, { fresh: { giftcard_id: 'GiftcardSpawnOrgID_2' } });
  await inFactory(cards.UpdateGiftcard, {
    id: 'GiftcardSpawnOrgID_2',
    note: 'never sold',
    bundled_default_disk: { name: 'Other', disk_type: 'ICP_CANISTER', auth_json: '{"other":2}' },
  });
  await inFactory(cards.CreateGiftcard, { fresh: { giftcard_id: 'GiftcardSpawnOrgID_3' } });
  await inFactory(cards.DeleteGiftcard, { id: 'GiftcardSpawnOrgID_3' });
  await spec.drives.commands.spawn(
    GIFT_DRIVE,
    {
      definition: factoryCommands.SpawnDrive,
      command: { ...spawnCommand(GIFT_DRIVE), bundled_default_disk: bundledDisk(card_disk) },
    },
    {
      definition: cards.RedeemGiftcard,
      command: { giftcard_id: 'GiftcardSpawnOrgID_1', drive_id: GIFT_DRIVE, card_revision: 1 },
    },
    FACTORY,
  );
  const imported = { drive_id: 'DriveID_imported' };
  await inFactory(factoryCommands.BeginImport, imported);
  const end = { revision: 7, chain_hash: sha256('the last event').toString('hex') };
  await inFactory(factoryCommands.EndImport, { ...imported, ...end });
  await run(
    organizationCommands.RedeemOrganization,
    { redeem_digest: 'digest-of-spawn', fresh: { api_key: apiKey(6), disk: disk(4) } },
    { kind: 'code' },
    GIFT_DRIVE,
  );
}
