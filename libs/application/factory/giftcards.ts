import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Provided } from '../providers.js';
import {
  type BundledDisk,
  bundledDiskView,
  presentBundledDisk,
} from '../../domain/disks/bundled.js';
import { factoryCommands } from '../../domain/factory/commands.js';
import { giftcardCommands, unspentCard } from '../../domain/giftcards/commands.js';
import { giftcardReads } from '../../domain/giftcards/reads.js';
import { isRefusal, refuse } from '../../domain/kernel/refusal.js';
import { type CommandRequest, isRefused, type Outcome } from '../../engine/writer/call.js';
import { Drives } from '../../engine/drives/drives.js';
import { FACTORY_ID } from '../../engine/fold/fold.js';
import { freshDriveId } from '../../identity/derive.js';
import { DriveCommand } from '../drive-command.js';
import { listQuery } from '../drive-query.js';
import { answerFrom, type Answering } from '../read-record.js';
import { freshOrganization } from './quickstart.js';
import { nullable, type Shown, text, view } from '../../domain/kernel/view.js';

interface RedeemGiftcardInput {
  giftcard_id: string;
  owner_user_id: string;
  owner_name: string;
  organization_name: string;
  external_id?: string;
  email?: string;
}

/** The organization spawned from a card. Its owner still has to redeem `redeem_code`. */
export const giftcardRedemptionView = view('GiftcardRedemption', {
  owner_id: text(),
  drive_id: text({ example: 'DriveID_2vxsx-fae' }),
  host: text('API base of this server'),
  redeem_code: text('The spawn code, for organization/redeem; shown this once'),
  bundled_default_disk: nullable(bundledDiskView, 'Never with its credentials'),
  external_id: nullable(text()),
});
export type GiftcardRedemption = Shown<typeof giftcardRedemptionView>;

export class RedeemGiftcard extends DriveCommand<RedeemGiftcardInput, GiftcardRedemption> {}

/** The card's revision and disk at the time of a spawn. */
interface CardSnapshot {
  readonly card_revision: number;
  readonly disk: BundledDisk | null;
}

/** Maximum spawns for one request if the card keeps changing meanwhile. */
const MOST_ATTEMPTS = 5;

/**
 * Spawns an organization from a card. Its stream is appended first; then the factory decides which request gets the
 * card.
 */
@Provided
@CommandHandler(RedeemGiftcard)
export class RedeemGiftcardHandler implements ICommandHandler<RedeemGiftcard> {
  constructor(@Inject(Drives) private readonly drives: Drives) {}

  async execute({ input, request }: RedeemGiftcard): Promise<Outcome<GiftcardRedemption>> {
    for (let attempt = 1; ; attempt++) {
      // Checked before any append, so that an unknown or spent card leaves no stream behind.
      const card = await this.unspent(input.giftcard_id, request);
      if (isRefused(card)) return card;
      const redeemed = await this.spawn(card.data, input, request);
      const is_outdated = isRefused(redeemed) && redeemed.refusal.refusal === 'precondition-failed';
      if (!is_outdated || attempt === MOST_ATTEMPTS) return redeemed;
    }
  }

  private unspent(giftcard_id: string, { credential }: CommandRequest): Answering<CardSnapshot> {
    const reader = { drive_id: FACTORY_ID, credential };
    return answerFrom(this.drives, reader, ({ state, open }) => {
      const card = unspentCard(state, giftcard_id);
      if (isRefusal(card)) return card;
      const disk = open(card.bundled_default_disk, 'bundled_default_disk');
      return { card_revision: card.revision!, disk };
    });
  }

  private async spawn(
    { card_revision, disk }: CardSnapshot,
    input: RedeemGiftcardInput,
    request: CommandRequest,
  ): Promise<Outcome<GiftcardRedemption>> {
    const { giftcard_id, owner_user_id: owner_id, external_id } = input;
    const drive_id = freshDriveId();
    const organization = freshOrganization();
    const spawned_at = new Date(this.drives.clock()).toISOString();
    const spawned = await this.drives.commands.spawn(
      drive_id,
      {
        definition: factoryCommands.SpawnDrive,
        command: {
          drive_id,
          organization_name: input.organization_name,
          owner_id,
          owner_name: input.owner_name,
          spawn_note: `Gift card ${giftcard_id} redeemed for ${owner_id} at ${spawned_at}`,
          email: input.email ?? null,
          external_id: external_id || null,
          ...(disk && { bundled_default_disk: disk }),
          fresh: organization,
        },
      },
      {
        definition: giftcardCommands.RedeemGiftcard,
        command: { giftcard_id, drive_id, card_revision },
      },
      request,
    );
    if (isRefused(spawned)) return spawned;
    return {
      revision: spawned.revision,
      data: {
        owner_id,
        drive_id,
        host: this.drives.settings.host_url,
        redeem_code: organization.spawn_redeem_code,
        bundled_default_disk: presentBundledDisk(disk, 'hidden'),
        external_id: external_id || null,
      },
    };
  }
}

export const ListGiftcards = listQuery('ListGiftcards', giftcardReads, ({ caller }) =>
  caller.is_factory_admin ? {} : refuse('forbidden'),
);
