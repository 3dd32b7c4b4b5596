import {
  ADMIN_KEY_NAME,
  freshApiKey,
  type FreshApiKey,
  serviceKeyCreated,
} from '../api-keys/commands.js';
import { maskedToken } from '../api-keys/reads.js';
import { defaultDisk } from '../disks/bundled.js';
import { diskCreated, freshDisk, type FreshDisk } from '../disks/commands.js';
import { type DomainEvent, event } from '../foundation/events.js';
import { decidedBy, decidedInSteps, namedCommands } from '../foundation/commands.js';
import { Access } from '../access/access.js';
import { refuseUnidentified } from '../access/caller.js';
import { accept, type Context, type Decider } from '../foundation/decision.js';
import { bodyOf, equalDigests } from '../kernel/fields.js';
import { PREFIX } from '../kernel/ids.js';
import { refuse, refuseField } from '../kernel/refusal.js';
import {
  type SuperswapUser,
  superswapUser,
  type TransferOwnership,
  transferOwnership,
} from './decide-owner.js';
import { parseDomains } from './domains.js';
import { loginUrl, notFoundUrl, shortlinkUrl } from './links.js';
import { transferReady } from '../relations/ownership-transfer.js';
import { presentLink, type ShortlinkView } from './reads.js';
import { flag, integer, oneOf, type Shown, text, view } from '../kernel/view.js';

export interface UpdateAllowedDomains {
  /** Comma-separated host names; `''` clears the list. */
  allowed_domains: string;
}

export interface RedeemOrganization {
  /** SHA-256 (hex) of the given code. */
  redeem_digest: string;
  fresh: { api_key: FreshApiKey; disk: FreshDisk };
}

export interface NotifyInbox {
  /** If given, it must be this drive. */
  drive_id?: string;
  topic?: string | null;
  payload?: unknown;
  fresh: { inbox_notif_id: string };
}

export interface CreateShortlink {
  original_url: string;
  fresh: { slug: string };
}

export interface RemoveShortlink {
  slug: string;
}

/** Records that the drive's read models were rebuilt. */
export interface RecordReindex {
  events_folded: number;
  documents_written: number;
}

const updateAllowedDomains: Decider<UpdateAllowedDomains> = (context, command) => {
  const allowed_domains = parseDomains(command.allowed_domains);
  if (typeof allowed_domains !== 'string') return allowed_domains;
  const access = Access.of(context);
  const allowed = access.owner();
  if (!allowed) return access.denied();
  return accept(allowed, event('AllowedDomainsUpdated', { allowed_domains }));
};

const redeemOrganization: Decider<RedeemOrganization> = (context, command) => {
  const { state, settings, now, open } = context;
  const { owner_id, spawn_redeem_digest, ...organization } = state.organization;
  // A wrong code and a used one get the same refusal; a used code has no stored digest.
  if (!equalDigests(command.redeem_digest, spawn_redeem_digest))
    return refuse('redeem-code-invalid', {
      pointer: '/redeem_code',
      reason: 'is wrong or already used',
    });
  const { fresh } = command;
  const bundled = open(organization.bundled_default_disk, 'bundled_default_disk');
  const disk = bundled ?? defaultDisk(settings);
  const everyone_group_id = organization.default_everyone_group_id;
  const creator = { created_by: owner_id, owner_id, everyone_group_id, settings };
  return accept(
    ['CODE'],
    event('OrganizationActivated', {}),
    serviceKeyCreated(owner_id, ADMIN_KEY_NAME, fresh.api_key, now),
    ...(disk ? [diskCreated(disk, fresh.disk, creator)] : []),
  );
};

const notifyInbox: Decider<NotifyInbox> = (context, command) => {
  const { state } = context;
  if (command.drive_id !== undefined && command.drive_id !== state.drive_id)
    return refuseField('/drive_id', 'must be the organization of the path');
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('CREATE', 'TABLE_INBOX');
  if (!allowed) return access.denied();
  return accept(
    allowed,
    event('InboxNotified', {
      inbox_notif_id: command.fresh.inbox_notif_id,
      topic: command.topic ?? null,
      payload: command.payload ?? null,
    }),
  );
};

const createShortlink: Decider<CreateShortlink> = (context, command) => {
  const { state, caller } = context;
  // The route accepts anonymous callers, since following a link needs no token.
  if (caller.via === 'ANONYMOUS') return refuseUnidentified(caller);
  const access = Access.of(context);
  // Only contacts may create links, since a link redirects in the organization's name.
  const is_contact = state.contacts.has(caller.user_id);
  const allowed = access.owner() ?? (is_contact ? access.self(caller.user_id) : null);
  if (!allowed) return access.denied();
  const { original_url, fresh } = command;
  const created_by = caller.user_id;
  return accept(allowed, event('ShortlinkCreated', { slug: fresh.slug, original_url, created_by }));
};

const removeShortlink: Decider<RemoveShortlink> = (context, { slug }) => {
  const { state, caller } = context;
  if (caller.via === 'ANONYMOUS') return refuseUnidentified(caller);
  const link = state.shortlinks.get(slug);
  if (!link) return refuse('shortlink-not-found');
  const access = Access.of(context);
  const allowed =
    access.owner() ?? access.self(link.created_by) ?? access.system('EDIT', state.drive_id);
  if (!allowed) return access.denied();
  return accept(allowed, event('ShortlinkRemoved', { slug }));
};

const recordReindex: Decider<RecordReindex> = (context, command) => {
  const { state, caller } = context;
  const access = Access.of(context);
  const allowed =
    caller.via === 'SYSTEM'
      ? ['SYSTEM']
      : (access.owner() ?? access.system('EDIT', state.drive_id));
  if (!allowed) return access.denied();
  const { events_folded, documents_written } = command;
  return accept(allowed, event('ReadModelsRebuilt', { events_folded, documents_written }));
};

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

  UpdateAllowedDomains: decidedBy<UpdateAllowedDomains, SuccessAnswer>(updateAllowedDomains, {
    answer({ state }) {
      const { allowed_domains } = state.organization;
      const message = allowed_domains
        ? `Allowed domains are now ${allowed_domains}`
        : 'Allowed domains are now empty';
      return { success: true, message };
    },
  }),

  SuperswapUser: decidedInSteps<SuperswapUser, SuperswapAnswer>(superswapUser, {
    answer(_, { current_user_id, new_user_id }, events) {
      const updated_count = bodyOf(events, 'UserSuperswapped')?.updated_count ?? 0;
      const message = `Replaced ${current_user_id} by ${new_user_id} in ${updated_count} records`;
      return { success: true, message, updated_count };
    },
  }),

  RedeemOrganization: decidedBy<RedeemOrganization, ActivationAnswer>(redeemOrganization, {
    generate: (fresh) => ({ api_key: freshApiKey(fresh), disk: freshDisk(fresh) }),
    answer: presentActivation,
  }),

  NotifyInbox: decidedBy<NotifyInbox, InboxAnswer>(notifyInbox, {
    generate: (fresh) => ({ inbox_notif_id: fresh.id(PREFIX.inbox_notif) }),
    answer: ({ state }, _, events) => ({
      inbox_notif_id: bodyOf(events, 'InboxNotified')!.inbox_notif_id,
      drive_id: state.drive_id,
      timestamp_ms: state.timestamp_ms,
      note: 'Notification received',
    }),
  }),

  CreateShortlink: decidedBy<CreateShortlink, ShortlinkView>(createShortlink, {
    generate: (fresh) => ({ slug: fresh.uuid() }),
    answer(context, _, events) {
      const { slug } = bodyOf(events, 'ShortlinkCreated')!;
      return presentLink(context, context.state.shortlinks.get(slug)!);
    },
  }),

  RemoveShortlink: decidedBy<RemoveShortlink, ShortlinkView>(removeShortlink, {
    answer: ({ settings, state }, { slug }) => ({
      slug,
      original_url: notFoundUrl(settings),
      shortlink_url: shortlinkUrl(settings, state.drive_id, slug),
    }),
  }),

  RecordReindex: decidedBy<RecordReindex, ReindexAnswer>(recordReindex, {
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
