import { event } from '../foundation/events.js';
import { Access } from '../access/access.js';
import { refuseUnidentified } from '../access/caller.js';
import { ADMIN_KEY_NAME, serviceKeyCreated } from '../api-keys/commands.js';
import { defaultDisk } from '../disks/bundled.js';
import { diskCreated } from '../disks/commands.js';
import { accept, type Decider } from '../foundation/decision.js';
import { equalDigests } from '../kernel/fields.js';
import { refuse, refuseField } from '../kernel/refusal.js';
import type {
  CreateShortlink,
  NotifyInbox,
  RecordReindex,
  RedeemOrganization,
  RemoveShortlink,
  UpdateAllowedDomains,
} from './commands.js';
import { parseDomains } from './domains.js';

export const updateAllowedDomains: Decider<UpdateAllowedDomains> = (context, command) => {
  const allowed_domains = parseDomains(command.allowed_domains);
  if (typeof allowed_domains !== 'string') return allowed_domains;
  const access = Access.of(context);
  const allowed = access.owner();
  if (!allowed) return access.denied();
  return accept(allowed, event('AllowedDomainsUpdated', { allowed_domains }));
};

export const redeemOrganization: Decider<RedeemOrganization> = (context, command) => {
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

export const notifyInbox: Decider<NotifyInbox> = (context, command) => {
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

export const createShortlink: Decider<CreateShortlink> = (context, command) => {
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

export const removeShortlink: Decider<RemoveShortlink> = (context, { slug }) => {
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

export const recordReindex: Decider<RecordReindex> = (context, command) => {
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
