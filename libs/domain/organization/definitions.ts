import type { DomainEvent } from '../foundation/events.js';
import { decidedBy, decidedInSteps, namedCommands } from '../foundation/commands.js';
import { freshDisk } from '../disks/commands.js';
import { freshApiKey } from '../api-keys/commands.js';
import { PREFIX } from '../kernel/ids.js';
import { maskedToken } from '../api-keys/reads.js';
import { type Context } from '../foundation/decision.js';
import { bodyOf } from '../kernel/fields.js';
import type {
  CreateShortlink,
  NotifyInbox,
  RecordReindex,
  RedeemOrganization,
  RemoveShortlink,
  SuperswapUser,
  TransferOwnership,
  UpdateAllowedDomains,
} from './commands.js';
import * as decide from './decide.js';
import { superswapUser, transferOwnership } from './decide-owner.js';
import { loginUrl, notFoundUrl, shortlinkUrl } from './links.js';
import { transferReady } from '../relations/ownership-transfer.js';
import { presentLink, type ShortlinkView } from './reads.js';
import { flag, integer, oneOf, type Shown, text, view } from '../kernel/view.js';

export const transferView = view('Transfer', {
  status: oneOf(['REQUESTED', 'COMPLETED', 'CANCELLED']),
  ready_ms: integer('ms; time from which it may be completed, -1 once cancelled'),
});
type TransferAnswer = Shown<typeof transferView>;

export const successView = view('Success', {
  success: flag<true>({ example: true }),
  message: text(),
});
type SuccessAnswer = Shown<typeof successView>;

export const superswapView = view('Superswap', {
  ...successView.members,
  updated_count: integer('Records changed, each once'),
});
type SuperswapAnswer = Shown<typeof superswapView>;

export const activationView = view('Activation', {
  drive_id: text(),
  host_url: text(),
  api_key: text('The token; shown this once'),
  note: text(),
  admin_login_password: text('`{drive_id}:{api_key}@{host_url}`'),
  auto_login_url: text(),
});
type ActivationAnswer = Shown<typeof activationView>;

export const inboxView = view('Inbox', {
  inbox_notif_id: text({ example: 'InboxNotifID_3f0c…' }),
  drive_id: text(),
  timestamp_ms: integer(),
  note: text(),
});
type InboxAnswer = Shown<typeof inboxView>;

export interface ReindexAnswer {
  revision: number;
  timestamp_ms: number;
  events_folded: number;
  documents_written: number;
}

export const organizationCommands = namedCommands({
  TransferOwnership: decidedBy<TransferOwnership, TransferAnswer>(transferOwnership, {
    generate: (fresh) => ({
      subject_key_id: fresh.subjectKey(),
      everyone_invite_id: fresh.id(PREFIX.invite),
    }),
    answer(context, { cancel }, events) {
      if (cancel) return { status: 'CANCELLED', ready_ms: -1 };
      if (bodyOf(events, 'OwnershipTransferred'))
        return { status: 'COMPLETED', ready_ms: context.state.timestamp_ms };
      return { status: 'REQUESTED', ready_ms: transferReady(context) };
    },
  }),

  UpdateAllowedDomains: decidedBy<UpdateAllowedDomains, SuccessAnswer>(
    decide.updateAllowedDomains,
    {
      answer({ state }) {
        const { allowed_domains } = state.organization;
        const message = allowed_domains
          ? `Allowed domains are now ${allowed_domains}`
          : 'Allowed domains are now empty';
        return { success: true, message };
      },
    },
  ),

  SuperswapUser: decidedInSteps<SuperswapUser, SuperswapAnswer>(superswapUser, {
    answer(_, { current_user_id, new_user_id }, events) {
      const updated_count = bodyOf(events, 'UserSuperswapped')?.updated_count ?? 0;
      const message = `Replaced ${current_user_id} by ${new_user_id} in ${updated_count} records`;
      return { success: true, message, updated_count };
    },
  }),

  RedeemOrganization: decidedBy<RedeemOrganization, ActivationAnswer>(decide.redeemOrganization, {
    generate: (fresh) => ({ api_key: freshApiKey(fresh), disk: freshDisk(fresh) }),
    answer: presentActivation,
  }),

  NotifyInbox: decidedBy<NotifyInbox, InboxAnswer>(decide.notifyInbox, {
    generate: (fresh) => ({ inbox_notif_id: fresh.id(PREFIX.inbox_notif) }),
    answer: ({ state }, _, events) => ({
      inbox_notif_id: bodyOf(events, 'InboxNotified')!.inbox_notif_id,
      drive_id: state.drive_id,
      timestamp_ms: state.timestamp_ms,
      note: 'Notification received',
    }),
  }),

  CreateShortlink: decidedBy<CreateShortlink, ShortlinkView>(decide.createShortlink, {
    generate: (fresh) => ({ slug: fresh.uuid() }),
    answer(context, _, events) {
      const { slug } = bodyOf(events, 'ShortlinkCreated')!;
      return presentLink(context, context.state.shortlinks.get(slug)!);
    },
  }),

  RemoveShortlink: decidedBy<RemoveShortlink, ShortlinkView>(decide.removeShortlink, {
    answer: ({ settings, state }, { slug }) => ({
      slug,
      original_url: notFoundUrl(settings),
      shortlink_url: shortlinkUrl(settings, state.drive_id, slug),
    }),
  }),

  RecordReindex: decidedBy<RecordReindex, ReindexAnswer>(decide.recordReindex, {
    answer: ({ state }, _, events) => ({
      revision: state.revision,
      timestamp_ms: state.timestamp_ms,
      ...bodyOf(events, 'ReadModelsRebuilt')!,
    }),
  }),
});

/** The answer to the spawn code: the admin's API key in all forms that clients accept. */
function presentActivation(
  { state, settings, open, masked }: Context,
  { fresh }: RedeemOrganization,
  events: readonly DomainEvent[],
): ActivationAnswer {
  const { drive_id, organization } = state;
  const { host_url } = settings;
  const owner = state.contacts.get(organization.owner_id);
  const { last4 } = bodyOf(events, 'ApiKeyCreated')!;
  const token = masked ? maskedToken(last4) : fresh.api_key.value;
  return {
    drive_id,
    host_url,
    api_key: token,
    note: open(organization.spawn_note, 'spawn_note'),
    admin_login_password: `${drive_id}:${token}@${host_url}`,
    auto_login_url: loginUrl(settings, {
      org_name: organization.name,
      org_id: drive_id,
      org_host: host_url,
      profile_id: organization.owner_id,
      profile_name: owner ? open(owner.name, 'name') || owner.id : '',
      profile_api_key: token,
    }),
  };
}
