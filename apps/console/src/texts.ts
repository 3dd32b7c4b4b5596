/** All texts of the page. A translation is another object of this shape. */
export const texts = {
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
