import type {
  ContactSettings,
  RedeemContact as RedeemContactCommand,
  UpdateContact as UpdateContactCommand,
} from '../../domain/contacts/commands.js';
import {
  contactCommands,
  type ContactRedemption,
  type Erased,
} from '../../domain/contacts/definitions.js';
import { contactReads } from '../../domain/contacts/reads.js';
import type { ContactView } from '../../domain/contacts/view.js';
import type { Deleted } from '../../domain/foundation/deleted.js';
import { PREFIX } from '../../domain/kernel/ids.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import { sha256Hex } from '../../engine/proofs/hashing.js';
import { DriveCommand, driveCommandHandler } from '../drive-command.js';
import { DriveQuery, driveQueryHandler } from '../drive-query.js';
import { freshApiKey } from '../factory/quickstart.js';
import { fresh } from '../fresh.js';
import { type ListInput, type ListPage, listRecords } from '../list-records.js';
import { readRecord } from '../read-record.js';
import { contactIdentity, type IdentityInput } from './identity.js';
import { autoLogin, type AutoLogin, type AutoLoginInput } from './login.js';

export type CreateContactInput = Partial<ContactSettings> & IdentityInput;

export interface RedeemContactInput extends Omit<RedeemContactCommand, 'fresh' | 'redeem_digest'> {
  redeem_code?: string;
}

export class CreateContact extends DriveCommand<CreateContactInput, ContactView> {}
export class UpdateContact extends DriveCommand<UpdateContactCommand, ContactView> {}
export class DeleteContact extends DriveCommand<{ id: string }, Deleted> {}
export class EraseContact extends DriveCommand<{ id: string }, Erased> {}
export class RedeemContact extends DriveCommand<RedeemContactInput, ContactRedemption> {}
/** The code that a contact was to come in with is not needed any more. */
export class EndContactCode extends DriveCommand<{ contact_id: string }, null> {}

export class GetContact extends DriveQuery<{ id: string }, ContactView> {}
export class ListContacts extends DriveQuery<ListInput, ListPage<ContactView>> {}
export class GenerateAutoLoginLink extends DriveQuery<AutoLoginInput, AutoLogin> {}

export const contactHandlers = [
  driveCommandHandler(CreateContact, contactCommands.CreateContact, async (input) => {
    const { seed_phrase: _, secret_entropy: __, ...settings } = input;
    const identity = await contactIdentity(input);
    if (isRefusal(identity)) return identity;
    return {
      ...settings,
      ...identity,
      fresh: {
        subject_key_id: fresh.subjectKey(),
        invite_id: fresh.id(PREFIX.invite),
        ...fresh.code(),
      },
    };
  }),
  driveCommandHandler(UpdateContact, contactCommands.UpdateContact, (input) => input),
  driveCommandHandler(DeleteContact, contactCommands.DeleteContact, (input) => input),
  driveCommandHandler(EraseContact, contactCommands.EraseContact, (input) => input),
  driveCommandHandler(
    RedeemContact,
    contactCommands.RedeemContact,
    ({ redeem_code, ...input }) => ({
      ...input,
      redeem_digest: redeem_code ? sha256Hex(redeem_code) : '',
      fresh: freshApiKey(),
    }),
  ),
  driveCommandHandler(EndContactCode, contactCommands.EndContactCode, (input) => input),
  driveQueryHandler(GetContact, (drives, reader, { id }) =>
    readRecord(drives, contactReads, reader, id),
  ),
  driveQueryHandler(ListContacts, (drives, reader, input) =>
    listRecords(drives, contactReads, reader, input),
  ),
  driveQueryHandler(GenerateAutoLoginLink, autoLogin),
];
