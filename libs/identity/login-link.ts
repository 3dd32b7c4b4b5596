/** Links that sign a person in to the web client. */

interface LoginLink {
  /** Base of the web client, such as `https://web.example`; slashes at its end are dropped. */
  readonly frontend_url: string;
  readonly org_name: string;
  readonly org_id: string;
  readonly org_host: string;
  readonly profile_id: string;
  readonly profile_name: string;
  /** The api key's full token. */
  readonly profile_api_key: string;
}

/**
 * `{frontend}/auto-login?token=<t>`, where `t` is URL-safe unpadded base64 of the UTF-8 JSON of all
 * other members. The link holds an api key in clear: it is handed out once, never logged or stored.
 */
export function loginLink({ frontend_url, ...link }: LoginLink): string {
  const { org_name, org_id, org_host, profile_id, profile_name, profile_api_key } = link;
  const json = JSON.stringify({
    org_name,
    org_id,
    org_host,
    profile_id,
    profile_name,
    profile_api_key,
  });
  const token = Buffer.from(json, 'utf8').toString('base64url');
  return `${withoutFinalSlashes(frontend_url)}/auto-login?token=${token}`;
}

function withoutFinalSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end--;
  return url.slice(0, end);
}
