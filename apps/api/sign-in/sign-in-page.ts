import { createHash } from 'node:crypto';
import type { WhoAmIView } from '../../../libs/domain/organization/reads.js';

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}' +
  'code{overflow-wrap:anywhere}pre{white-space:pre-wrap}';

/** Headers of the page. Because its URL contains a key, they forbid caching, referrers and scripts. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/**
 * Renders the page of a sign-in link if no web client is configured: the user of the link, and how to
 * use it.
 *
 * @param who the user of the link's key; null if the key is not valid
 * @param host_url public base URL of this server
 */
export function signInPage(who: WhoAmIView | null, host_url: string): string {
  if (!who)
    return page(
      'This sign-in link is not valid',
      '<p>The link is incomplete, or its key was revoked, deleted or has expired. Ask the person who ' +
        'gave it to you for a new one.</p>',
    );
  const whoami = `${host_url}/v1/drive/${who.driveID}/organization/whoami`;
  return page(
    'A sign-in link',
    `<p>This link signs in to the organization <strong>${escaped(who.drive_nickname)}</strong> ` +
      `(<code>${escaped(who.driveID)}</code>) as <strong>${escaped(who.nickname)}</strong> ` +
      `(<code>${escaped(who.userID)}</code>).</p>` +
      '<h2>What you can do with it</h2>' +
      '<p>The link holds an API key. In its address, the text after <code>token=</code> is JSON in ' +
      'URL-safe base64; the member <code>profile_api_key</code> is the key. Send it with every request:</p>' +
      `<pre><code>curl -H "Authorization: Bearer $KEY" ${escaped(whoami)}</code></pre>` +
      '<p><a href="/docs">All operations</a> are described on this server.</p>' +
      '<h2>Keep it like a password</h2>' +
      '<p>Anybody who has this link can act as this user. To disable the link, delete its key with ' +
      '<code>api_keys/delete</code>.</p>',
  );
}

function page(title: string, content: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width">' +
    `<title>${title}</title><style>${STYLE}</style></head>` +
    `<body><h1>${title}</h1>${content}</body></html>\n`
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}
