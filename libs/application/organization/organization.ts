import { setImmediate as nextTurn } from 'node:timers/promises';
import { sealedExternalIds } from '../../domain/contacts/by-external-id.js';
import type { Context } from '../../domain/foundation/decision.js';
import { PREFIX } from '../../domain/kernel/ids.js';
import type {
  NotifyInbox as NotifyInboxCommand,
  SuperswapUser as SuperswapUserCommand,
  TransferOwnership as TransferOwnershipCommand,
  UpdateAllowedDomains as UpdateAllowedDomainsCommand,
} from '../../domain/organization/commands.js';
import {
  type ActivationAnswer,
  type InboxAnswer,
  organizationCommands,
  type SuccessAnswer,
  type SuperswapAnswer,
  type TransferAnswer,
} from '../../domain/organization/definitions.js';
import {
  type ExternalIdsAnswer,
  type ExternalIdsQuestion,
  resolveExternalIds,
} from '../../domain/organization/external-ids.js';
import { resolveShortlink } from '../../domain/organization/reads.js';
import {
  about,
  type AboutView,
  type ShortlinkView,
  whoAmI,
  type WhoAmIView,
} from '../../domain/organization/view.js';
import { sha256Hex } from '../../engine/proofs/hashing.js';
import { DriveCommand, driveCommandHandler } from '../drive-command.js';
import { DriveQuery, driveQueryHandler } from '../drive-query.js';
import { freshApiKey, freshDisk } from '../factory/quickstart.js';
import { fresh } from '../fresh.js';
import { answerFrom } from '../read-record.js';

type CommandInput<Command> = Omit<Command, 'fresh'>;
type Nothing = Record<never, never>;

export class TransferOwnership extends DriveCommand<
  CommandInput<TransferOwnershipCommand>,
  TransferAnswer
> {}
export class UpdateAllowedDomains extends DriveCommand<
  UpdateAllowedDomainsCommand,
  SuccessAnswer
> {}
export class SuperswapUser extends DriveCommand<SuperswapUserCommand, SuperswapAnswer> {}
export class RedeemOrganization extends DriveCommand<{ redeem_code: string }, ActivationAnswer> {}
export class NotifyInbox extends DriveCommand<CommandInput<NotifyInboxCommand>, InboxAnswer> {}
export class CreateShortlink extends DriveCommand<{ original_url: string }, ShortlinkView> {}
export class RemoveShortlink extends DriveCommand<{ slug: string }, ShortlinkView> {}

export class ResolveShortlink extends DriveQuery<{ slug: string }, ShortlinkView> {}
export class ResolveExternalIds extends DriveQuery<ExternalIdsQuestion, ExternalIdsAnswer> {}
export class GetAbout extends DriveQuery<Nothing, AboutView> {}
export class GetWhoAmI extends DriveQuery<Nothing, WhoAmIView> {}

export const organizationHandlers = [
  driveCommandHandler(TransferOwnership, organizationCommands.TransferOwnership, (input) => ({
    ...input,
    fresh: {
      subject_key_id: fresh.subjectKey(),
      everyone_invite_id: fresh.id(PREFIX.invite),
    },
  })),
  driveCommandHandler(
    UpdateAllowedDomains,
    organizationCommands.UpdateAllowedDomains,
    (input) => input,
  ),
  driveCommandHandler(SuperswapUser, organizationCommands.SuperswapUser, (input) => input),
  driveCommandHandler(
    RedeemOrganization,
    organizationCommands.RedeemOrganization,
    ({ redeem_code }) => ({
      redeem_digest: sha256Hex(redeem_code),
      fresh: { api_key: freshApiKey(), disk: freshDisk() },
    }),
  ),
  driveCommandHandler(NotifyInbox, organizationCommands.NotifyInbox, (input) => ({
    ...input,
    fresh: { inbox_notif_id: fresh.id(PREFIX.inbox_notif) },
  })),
  driveCommandHandler(CreateShortlink, organizationCommands.CreateShortlink, (input) => ({
    ...input,
    fresh: { slug: fresh.uuid() },
  })),
  driveCommandHandler(RemoveShortlink, organizationCommands.RemoveShortlink, (input) => input),
  driveQueryHandler(ResolveShortlink, (drives, reader, { slug }) =>
    answerFrom(drives, reader, (context) => resolveShortlink(context, slug)),
  ),
  driveQueryHandler(ResolveExternalIds, async (drives, reader, question) => {
    if (!reader.past)
      await drives.read(reader.drive_id, ({ state, keyring: { open } }) =>
        openExternalIds({ state, open }),
      );
    return answerFrom(drives, reader, async (context) => {
      // A state of the past does not change meanwhile; the present one is answered from in one go.
      if (reader.past) await openExternalIds(context);
      return resolveExternalIds(context, question);
    });
  }),
  driveQueryHandler(GetAbout, (drives, reader) => answerFrom(drives, reader, about)),
  driveQueryHandler(GetWhoAmI, (drives, reader) => answerFrom(drives, reader, whoAmI)),
];

/** Opens what is sealed of contacts' external ids, in turns: a drive may have very many. */
async function openExternalIds(of: Pick<Context, 'state' | 'open'>): Promise<void> {
  for (const _ of sealedExternalIds(of).catchUp()) await nextTurn();
}
