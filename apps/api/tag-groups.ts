import type { TagGroup } from './platform/openapi/document.js';

/** Tags of the API document, grouped by task. */
export const TAG_GROUPS: readonly TagGroup[] = [
  {
    name: 'Start',
    tags: {
      onboarding: 'Create an organization; no token is needed.',
      'gift cards': 'Codes that spawn organizations.',
      organization: 'The organization itself: description, owner, domains, inbox, short links.',
    },
  },
  {
    name: 'People',
    tags: {
      contacts: 'People of the organization, their erasure and sign-in links.',
      groups: 'Groups of people, to which permissions may be granted.',
      'group invites': 'Memberships of groups.',
      'api keys': 'Keys that authenticate contacts.',
    },
  },
  {
    name: 'Files',
    tags: {
      disks: 'Where files are stored.',
      directory: 'Folders and files: read, create, move, share, delete, restore.',
      content: 'Bytes of files: upload, download, versions.',
      labels: 'Labels of records.',
    },
  },
  {
    name: 'Access',
    tags: {
      'directory permissions': 'Grants on folders and files.',
      'system permissions': 'Grants on tables and on records other than folders and files.',
      access: 'Who may do what, why, and since when.',
    },
  },
  {
    name: 'Past',
    tags: {
      history: 'Events, replay, bookmarks, and comparison of two points in time.',
      proofs: 'Signed digests and proofs that the history is complete and unchanged.',
    },
  },
  {
    name: 'Integrations',
    tags: {
      search: 'Search records of all families.',
      transactions: 'Several commands at once, all or none.',
      'live events': 'Events as they are stored.',
      webhooks: 'Events sent to a URL.',
      'webhook deliveries': 'Requests that the service sends to the URL of a webhook.',
      signalling: 'WebSocket for direct connections between viewers of a file.',
      drives: 'The address book of organizations.',
    },
    describe_other: (tag) => `${tag[0]!.toUpperCase()}${tag.slice(1)} of the organization.`,
  },
  { name: 'Operation', tags: { system: 'For operators and load balancers.' } },
];
