/** Of dates and numbers. */
const LOCALE = 'en-GB';

/** All texts of the page. A translation is another object of this shape. */
export const texts = {
  locale: LOCALE,
  product: 'Drive console',
  skip_to_content: 'Skip to content',

  pages: {
    state: 'State',
    record: 'Record',
    history: 'History',
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
    expired: 'Your key is no longer valid. Sign in again.',
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
    time_in_future: 'This time is in the future.',
    time_before_first: (first: string) => `The organization begins at ${first}.`,
    revision: (revision: number) => `r${revision.toLocaleString(LOCALE)}`,
    revision_range: (head: number) => `From 0 to ${head.toLocaleString(LOCALE)}`,
    no_bookmarks: 'This organization has no bookmarks.',
    no_permission: 'Your key may not look at the past. It needs VIEW on TABLE_AUDIT.',
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
    events: (count: number) =>
      `${count.toLocaleString(LOCALE)} ${count === 1 ? 'event' : 'events'}`,
    zoom_in: 'Zoom in',
    zoom_out: 'Zoom out',
    whole: 'Show the whole history',
  },

  view_as: {
    title: 'View as',
    chosen: (name: string) => `As ${name}`,
    explanation: 'Shows all pages as this person saw them at the point in time.',
    person: 'Person',
    end: 'View as the owner again',
  },

  person: {
    placeholder: 'Name, mail address or ID',
    nobody: 'Nobody found',
  },

  /** By the families of events. */
  event_families: {
    organization: 'Organization',
    contacts: 'Contacts',
    groups: 'Groups',
    disks: 'Disks',
    folders: 'Files and folders',
    files: 'Files and folders',
    directory_permissions: 'Permissions',
    labels: 'Labels',
    api_keys: 'API keys',
    webhooks: 'Webhooks',
    drives: 'Known organizations',
    shortlinks: 'Short links',
    superswaps: 'Replaced users',
    purchases: 'Purchases',
    bookmarks: 'Bookmarks',
  },

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
    denied_hint: 'Your key does not have the permission for this.',
    not_found: 'Not found',
    page_not_found: 'This page does not exist.',
    crashed: 'This page has a defect. Reload it, and report the message below.',
  },
};
