import { names } from './names.js';
import { page_texts } from './page-texts.js';
import { LOCALE, totalText } from './text-forms.js';

/** All texts of the page. A translation is another object of this shape. */
export const texts = {
  locale: LOCALE,
  product: 'Drive console',
  skip_to_content: 'Skip to content',

  pages: {
    state: 'State',
    record: 'Record',
    history: 'History',
    compare: 'Compare',
    access: 'Access',
    evidence: 'Evidence',
    operations: 'Operations',
    menu: 'Pages',
  },

  session: {
    title: 'Sign in',
    intro: 'Look at an organization as it is now, and as it was at any moment of its past.',
    credential: 'Key or sign-in link',
    credential_hint: 'An API key, a sign-in link, or the text of auth_json',
    credential_missing: 'Paste a key or a sign-in link.',
    organization: 'Organization',
    organization_hint: 'Its ID, which begins with DriveID_',
    organization_missing: 'Enter the organization that the key belongs to.',
    known: 'Organizations used in this browser',
    forget: (name: string) => `Forget ${name}`,
    submit: 'Sign in',
    privacy: 'The key stays in this browser tab and is deleted when you close it.',
    link_invalid: 'This sign-in link is not valid',
    link_invalid_hint:
      'The link is incomplete. Ask the person who gave it to you for a new one, or sign in with a key.',
    key_invalid: 'The key is not valid for this organization',
    key_invalid_hint: 'It may have been revoked or deleted, or it has expired.',
    organization_unknown: 'There is no organization with this ID on this server',
    expired: 'Your key is no longer valid',
    opening: 'Signing in',
    signed_in_as: (user: string) => `Signed in as ${user}`,
    sign_out: 'Sign out',
    switch: 'Organizations',
    add: 'Sign in to another organization',
  },

  point: {
    title: 'Point in time',
    steps: 'Steps',
    first: 'First event',
    previous: 'Previous event',
    next: 'Next event',
    last: 'Latest event',
    play: 'Play',
    pause: 'Pause',
    speed: (events: number) => `${events}/s`,
    speed_label: (events: number) =>
      `Speed: ${events} ${events === 1 ? 'event' : 'events'} a second`,
    now: 'Now',
    to_now: 'Back to now',
    choose: 'Choose a point in time',
    kind: 'Kind of point',
    kinds: { time: 'Time', revision: 'Revision', bookmark: 'Bookmark' },
    time: 'Date and time',
    zone: 'Time zone',
    zone_hint: 'All times of this page are shown in it',
    show: 'Show',
    time_missing: 'Enter a date and a time.',
    time_skipped: (zone: string, later: string) =>
      `In ${zone}, clocks went forward and skipped this time. Choose another one, such as ${later}.`,
    time_twice: 'Clocks went back: this time came twice.',
    times: {
      first: (offset: string) => `First, ${offset}`,
      second: (offset: string) => `Second, ${offset}`,
    },
    time_in_future: 'This time is in the future.',
    time_before_first: (first: string) => `The organization begins at ${first}.`,
    revision: (revision: number) => `r${revision.toLocaleString(LOCALE)}`,
    revision_range: (head: number) => `From 0 to ${head.toLocaleString(LOCALE)}`,
    not_understood: (text: string) =>
      `“${text}” is no point in time. Use a revision such as r12, a time such as 2026-11-20T10:00:00Z, or @ and a bookmark.`,
    outside:
      'There is no such point: it is before the first event of the organization, or in the future.',
    no_bookmark: (name: string) => `There is no bookmark ${name}.`,
    no_bookmarks: 'This organization has no bookmarks.',
    no_permission: 'Your key may not look at the past. It needs VIEW on TABLE_AUDIT.',
  },

  live: {
    connecting: 'Connecting',
    connected: 'Live',
    lost: 'Connection lost',
    hint: {
      connecting: 'Waiting for the connection to the live feed',
      connected: 'New events appear as they happen',
      lost: 'New events appear late until the connection is back',
    },
  },

  timeline: {
    title: 'Timeline: arrow keys step from event to event',
    filters: 'Filter events',
    no_filters: 'Remove filters',
    person: 'Person',
    family: 'Family',
    kind: 'Kind of event',
    kind_count: (kind: string, count: number) => `${kind} (${count.toLocaleString(LOCALE)})`,
    all: 'All',
    events: totalText('event', 'events'),
    zoom_in: 'Zoom in',
    zoom_out: 'Zoom out',
    whole: 'Show the whole history',
  },

  view_as: {
    title: 'View as',
    chosen: (name: string) => `As ${name}`,
    explanation: 'Shows State and records as this person saw them at the point in time.',
    person: 'Person',
    end: 'View as the owner again',
    not_listed: 'Not listed for a person',
    not_listed_hint:
      'These records are listed to the owner only. Open a group, a contact, a folder or a file: its page shows what this person saw of it.',
    nothing_visible: 'Nothing visible here',
    maybe_hidden: 'This person may not have been allowed to see these records.',
    not_applied: 'This page is shown as you may see it, not as the chosen person.',
    not_applied_to_history: 'This history is shown as you may see it, not as the chosen person.',
    not_visible: 'Not visible to this person',
    not_visible_hint: 'At this point, the person could not see it, or it was not there.',
  },

  state: {
    families: 'Kinds of records',
  },

  table: {
    search: 'Search',
    empty: 'There were no such records at this point.',
    nothing_found: 'Nothing found',
    total: totalText('record', 'records'),
    previous: 'Previous page',
    next: 'Next page',
    more: 'Show more',
    too_many_to_sort: (most: number) =>
      `Lists of more than ${most.toLocaleString(LOCALE)} records are sorted by creation only. Search to shorten the list.`,
    too_many_to_search: (most: number) =>
      `Lists of more than ${most.toLocaleString(LOCALE)} records of this kind are sorted by creation only and cannot be searched.`,
    not_searched: 'There are too many records to search. All are shown.',
    open: 'Details',
    admin: '(admin)',
    others: (others: number) => `and ${others} more`,
  },

  record: {
    no_such_kind: 'Records of this kind have no page.',
    no_id: (text: string) => `“${text}” is not the ID of a record.`,
    never_existed: (id: string) => `No record of this organization ever had the ID ${id}.`,
    not_there: 'Not there at this point',
    not_there_hint:
      'The record did not exist then. Its history below leads to points at which it did.',
    not_there_or_hidden: 'The record did not exist then, or your key may not see it.',
    changed_by_event: 'Changed by the event at this point',
    fields: 'Fields',
    empty: (fields: string) => `Empty: ${fields}`,
    show_secret: (field: string) => `Show ${field.toLowerCase()}`,
    history: 'History of this record',
    members: 'Members',
    member: (role: string) => `(${role.toLowerCase()})`,
    invite: 'Invite',
    groups: 'Member of',
    revoked: '(revoked)',
    grants: 'Permissions given here',
    grant: 'Grant',
    open_folder: 'Show the content of this folder',
  },

  versions: {
    title: 'Versions',
    total: totalText('version', 'versions'),
    version: 'Version',
    current: (version: number) => `${version} (current)`,
    content: 'Content',
    show: 'Show',
    download: 'Download',
    preview: (version: number) => `Content of version ${version}`,
    denied: 'Versions may be seen with EDIT on the file only.',
    gone: 'The content is no longer stored. Its SHA-256 is kept in the history.',
    shortened: (shown: string, size: string) =>
      `The preview ends after ${shown} of ${size}. Download the version to see all of it.`,
    no_preview: 'There is no preview for content of this type or size.',
  },

  /** Only on paper. */
  print: { organization: 'Organization', printed: 'Printed', address: 'Address' },

  /** When a grant, an invite or a key applies. */
  period: { from: 'from', until: 'until' },

  events: {
    go_to: (revision: number) => `Go to revision ${revision.toLocaleString(LOCALE)}`,
    details: (revision: number) => `Details of revision ${revision.toLocaleString(LOCALE)}`,
    reason: 'Reason',
    other_records: (count: number) =>
      count === 1
        ? 'It changed one other record, too.'
        : `It changed ${count.toLocaleString(LOCALE)} other records, too.`,
    kind: 'Kind',
    command: 'Command',
    via: 'Signed in by',
    allowed_by: 'Allowed by',
    request: 'Request',
    hash: 'Hash',
    total: totalText('event', 'events'),
  },

  history: {
    with_later: (later: number) =>
      `Show ${later.toLocaleString(LOCALE)} later ${later === 1 ? 'event' : 'events'}, too`,
    nothing: 'No events match the filters.',
    no_such_family: (family: string) => `“${family}” is not a family of events.`,
    events: totalText('event', 'events'),
    reason: 'Reason contains',
    record: 'ID of a record',
    request: 'ID of a request',
    of_request: 'Only the events of one request are shown.',
    all_requests: 'Show all',
  },

  directory: {
    path: 'Path',
    tree: 'Folders',
    root: 'Root folder',
    folders_of: (name: string) => `Folders in ${name}`,
    shared: 'Shared with the person',
    show_shared: 'Show shared items',
    trash: 'Trash',
    show_trash: 'Show trash',
    empty: 'This folder was empty at this point.',
  },

  ...names,
  ...page_texts,

  scheme: {
    to_dark: 'Use dark colors',
    to_light: 'Use light colors',
  },

  states: {
    loading: 'Loading',
    empty: 'Nothing here',
    failed: 'This could not be loaded',
    unreachable: 'The server does not answer. Check your connection.',
    retry: 'Try again',
    request: (id: string) => `Request ${id}`,
    denied: 'Not allowed',
    not_found: 'Not found',
    page_not_found: 'This page does not exist.',
    no_such: {
      person: 'There is no such person',
      record: 'There is no such record',
      kind: 'There is no such kind of event',
      family: 'There is no such family',
      request: 'There is no such request',
      page: 'There is no such page of this list',
    },
    no_such_hint: 'Check the address of this page and its filters.',
    first_page: 'Show the first page',
    page_not_loaded: 'This page could not be loaded',
    page_not_loaded_hint:
      'There is a new version of the console, or the connection was interrupted. The address keeps what you see.',
    crashed: 'This page has a defect. Reload it, and report the message below.',
  },
};
