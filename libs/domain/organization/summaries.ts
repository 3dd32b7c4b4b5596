import type { Summaries } from '../foundation/summary-context.js';
import type { OrganizationEvents } from './events.js';

export const organizationSummaries: Summaries<OrganizationEvents> = {
  OrganizationSpawned: ({ name }, { organization_name, owner_id }) =>
    `The organization ${organization_name} was founded for ${name(owner_id)}`,

  DefaultDiskBundled: () => 'The organization was given a disk to begin with',

  OrganizationActivated: () => 'The organization was activated with its code',

  OwnershipTransferRequested: ({ actor, name }, { next_owner_id }) =>
    `${actor} asked to hand the organization over to ${name(next_owner_id)}`,

  OwnershipTransferCancelled: ({ actor }) => `${actor} cancelled the transfer of ownership`,

  OwnershipTransferred: ({ actor, name }, { new_owner_id }) =>
    `${actor} handed the organization over to ${name(new_owner_id)}`,

  AllowedDomainsUpdated: ({ actor }, { allowed_domains }) =>
    allowed_domains
      ? `${actor} set the allowed domains to ${allowed_domains}`
      : `${actor} cleared the allowed domains`,

  ReadModelsRebuilt: ({ actor }, { events_folded }) =>
    `${actor} rebuilt the read models from ${events_folded} events`,

  InboxNotified: ({ actor }, { topic }) =>
    `${actor} put a notice into the inbox${topic ? ` on ${topic}` : ''}`,

  ShortlinkCreated: ({ actor }, { slug }) => `${actor} made the short link ${slug}`,

  ShortlinkRemoved: ({ actor }, { slug }) => `${actor} removed the short link ${slug}`,

  UserSuperswapped: ({ actor, name }, { current_user_id, new_user_id }) =>
    `${actor} replaced the user id ${current_user_id} by ${new_user_id} (${name(new_user_id)})`,
};
