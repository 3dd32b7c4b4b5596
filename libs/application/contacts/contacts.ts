import {
  contactCommands,
  type ContactSettings,
  type RedeemContact as RedeemContactCommand,
} from '../../domain/contacts/commands.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import { sha256Hex } from '../../engine/proofs/hashing.js';
import { driveCommand } from '../drive-command.js';
import { contactIdentity, type Identified, type IdentityInput } from './identity.js';

type CreateContactInput = Partial<ContactSettings> & IdentityInput;

interface RedeemContactInput extends Omit<RedeemContactCommand, 'fresh' | 'redeem_digest'> {
  redeem_code?: string;
}

export const CreateContact = driveCommand(
  contactCommands.CreateContact,
  (input: CreateContactInput) => {
    const { seed_phrase: _, secret_entropy: __, ...settings } = input;
    const withIdentity = (identity: Identified) =>
      isRefusal(identity) ? identity : { ...settings, ...identity };
    const identity = contactIdentity(input);
    return identity instanceof Promise ? identity.then(withIdentity) : withIdentity(identity);
  },
);
export const RedeemContact = driveCommand(
  contactCommands.RedeemContact,
  ({ redeem_code, ...input }: RedeemContactInput) => ({
    ...input,
    redeem_digest: redeem_code ? sha256Hex(redeem_code) : '',
  }),
);
