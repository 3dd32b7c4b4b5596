import type { organizationCommands } from '../../../libs/domain/organization/commands.js';
import { byService, type MakersOf } from './maker.js';
import { USERS } from './means.js';

export const organizationMakers: MakersOf<typeof organizationCommands> = {
  TransferOwnership: ({ chance, fresh }) => ({
    ...(chance.once(4) ? { cancel: true } : { next_owner_id: chance.of(USERS.slice(0, 2)) }),
    fresh: {
      subject_key_id: fresh('subject-'),
      everyone_invite_id: fresh('GroupInviteID_t'),
    },
  }),
  UpdateAllowedDomains: ({ chance }) => ({
    allowed_domains: chance.of(['', 'example.com', 'a.example,b.example']),
  }),
  SuperswapUser: ({ chance, user, fresh }) => ({
    current_user_id: user(),
    new_user_id: chance.once(3) ? chance.of(USERS) : fresh('UserID_swapped-'),
  }),
  RedeemOrganization: {
    credential: { kind: 'code' },
    make: ({ key, disk }) => ({
      redeem_digest: 'digest-of-spawn',
      fresh: { api_key: key, disk },
    }),
  },
  NotifyInbox: ({ chance, note, fresh }) => ({
    topic: chance.of([null, 'topic']),
    payload: { note: note(), $sealed: [], nested: [1, { a: null }] },
    fresh: { inbox_notif_id: fresh('InboxNotifID_') },
  }),
  CreateShortlink: ({ fresh }) => ({
    original_url: 'https://example.com/',
    fresh: { slug: fresh('slug') },
  }),
  RemoveShortlink: ({ state, id }) => ({ slug: id(state.shortlinks.ids(), 'slug') }),
  RecordReindex: byService(({ made }) => ({ events_folded: made, documents_written: 1 })),
};
