import { event } from '../foundation/events.js';
import { refuseUnidentified } from '../access/caller.js';
import { endOf, serviceKeyCreated } from '../api-keys/created.js';
import { accept, type Decider } from '../foundation/decision.js';
import { equalDigests, prepend } from '../kernel/fields.js';
import { refuse } from '../kernel/refusal.js';
import type { EndContactCode, RedeemContact } from './commands.js';
import { isFormerId } from '../relations/former-ids.js';

/** Name of the key that the service creates when a contact is redeemed. */
const REDEEMED_KEY_NAME = 'Superswap User API Key';
const LONGEST_NOTE = 8192;

/**
 * Redeems a placeholder contact. An unknown contact and a wrong code get the same refusal: ids are public principals,
 * and callers must not learn which of them are contacts.
 */
export const redeemContact: Decider<RedeemContact> = (context, command) => {
  const { state, caller } = context;
  const { current_user_id, new_user_id, note, fresh } = command;
  if (!caller.user_id) return refuseUnidentified(caller);
  if (current_user_id === new_user_id) {
    const reason = 'must differ from current_user_id';
    return refuse('same-user', { pointer: '/new_user_id', reason });
  }
  const contact = state.contacts.get(current_user_id);
  const is_owner = state.organization.owner_id === current_user_id;
  if (!contact || is_owner || !equalDigests(contact.redeem_digest, command.redeem_digest)) {
    const reason = 'does not redeem this user';
    return refuse('redeem-code-invalid', { pointer: '/redeem_code', reason });
  }
  if (state.contacts.has(new_user_id)) return refuse('contact-exists');
  if (isFormerId(state, new_user_id) && !contact.past_user_ids.includes(new_user_id))
    return refuse('former-user-id');
  if (new_user_id !== caller.user_id && state.undo_log.referencesTo(new_user_id) > 0)
    return refuse('user-in-use');
  const note_before = () => context.open(contact.public_note, 'public_note');
  return accept(
    ['CODE'],
    event('ContactRedeemed', {
      current_user_id,
      new_user_id,
      subject_key_id: contact.subject_key_id,
      public_note: note ? prepend(note, note_before(), LONGEST_NOTE) : null,
    }),
    // The new key must not outlive the key of the call.
    serviceKeyCreated(new_user_id, REDEEMED_KEY_NAME, fresh, 0, endOf(caller.key_expires_at)),
  );
};

export const endContactCode: Decider<EndContactCode> = ({ state, caller }, { contact_id }) => {
  if (caller.via !== 'SYSTEM') return refuse('forbidden');
  const contact = state.contacts.get(contact_id);
  if (!contact?.code_ends_on_sign_in) return accept(['SYSTEM']);
  return accept(['SYSTEM'], event('ContactCodeEnded', { contact_id }));
};
