import { setImmediate as nextTurn } from 'node:timers/promises';
import { sealedExternalIds } from '../../domain/contacts/by-external-id.js';
import type { Context } from '../../domain/foundation/decision.js';
import { organizationCommands } from '../../domain/organization/commands.js';
import {
  type ExternalIdsAnswer,
  type ExternalIdsQuestion,
  resolveExternalIds,
} from '../../domain/organization/external-ids.js';
import {
  about,
  resolveShortlink,
  type ShortlinkView,
  whoAmI,
} from '../../domain/organization/reads.js';
import { sha256Hex } from '../../engine/proofs/hashing.js';
import { driveCommand } from '../drive-command.js';
import { driveQuery, stateQuery } from '../drive-query.js';
import { answerFrom } from '../read-record.js';

export const RedeemOrganization = driveCommand(
  organizationCommands.RedeemOrganization,
  ({ redeem_code }: { redeem_code: string }) => ({ redeem_digest: sha256Hex(redeem_code) }),
);
export const ResolveShortlink = stateQuery<{ slug: string }, ShortlinkView>(
  'ResolveShortlink',
  (context, { slug }) => resolveShortlink(context, slug),
);

export const ResolveExternalIds = driveQuery<ExternalIdsQuestion, ExternalIdsAnswer>(
  'ResolveExternalIds',
  async (drives, reader, question) => {
    if (!reader.past)
      await drives.read(reader.drive_id, ({ state, keyring: { open } }) =>
        openExternalIds({ state, open }),
      );
    return answerFrom(drives, reader, async (context) => {
      // A past state cannot change while external ids are decrypted; the current state is read synchronously.
      if (reader.past) await openExternalIds(context);
      return resolveExternalIds(context, question);
    });
  },
);

export const GetAbout = stateQuery('GetAbout', about);
export const GetWhoAmI = stateQuery('GetWhoAmI', whoAmI);

/** Decrypts the external ids of contacts in turns of the event loop, since a drive may have very many. */
async function openExternalIds(of: Pick<Context, 'state' | 'open'>): Promise<void> {
  for (const _ of sealedExternalIds(of).catchUp()) await nextTurn();
}
