import type { contactCommands } from '../../../libs/domain/contacts/commands.js';
import { byService, type MakersOf } from './maker.js';
import { USERS } from './means.js';

export const contactMakers: MakersOf<typeof contactCommands> = {
  CreateContact: ({ chance, made, code, external, note, fresh }) => ({
    id: chance.once(4) ? chance.of(USERS) : fresh('UserID_contact-'),
    name: `Person ${made}`,
    ...chance.maybe('email', `p${made}@example.com`),
    ...chance.maybe('private_note', note()),
    ...chance.maybe('is_placeholder', chance.once(2)),
    ...external,
    fresh: {
      subject_key_id: fresh('subject-'),
      invite_id: fresh('GroupInviteID_c'),
      ...code,
    },
  }),
  UpdateContact: ({ chance, made, note, user }) => ({
    id: user(),
    ...chance.maybe('name', `Renamed ${made}`),
    ...chance.maybe('public_note', note()),
    ...chance.maybe('email', note()),
  }),
  DeleteContact: ({ user }) => ({ id: user() }),
  EraseContact: ({ user }) => ({ id: user() }),
  RedeemContact: ({ chance, state, key, external, user, fresh }) => {
    const current_user_id = user();
    const redeem_digest = state.contacts.get(current_user_id)?.redeem_digest ?? '';
    const new_user_id = chance.once(3) ? chance.of(USERS) : fresh('UserID_redeemed-');
    return { current_user_id, new_user_id, redeem_digest, ...external, fresh: key };
  },
  EndContactCode: byService(({ user }) => ({ contact_id: user() })),
};
