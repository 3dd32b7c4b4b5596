import type { DomainSettings } from '../foundation/decision.js';

/** URL-safe, unpadded base64 of a text's UTF-8. */
function base64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The URL of an organization in the web client. */
export function organizationUrl(settings: DomainSettings, drive_id: string): string {
  const { frontend_url, host_url } = settings;
  return `${frontend_url}/org/${drive_id}__${base64Url(host_url)}`;
}

/** The URL of a short link in the web client. */
export function shortlinkUrl(settings: DomainSettings, drive_id: string, slug: string): string {
  return `${organizationUrl(settings, drive_id)}/to/${slug}`;
}

/** The URL to which a removed short link redirects. */
export function notFoundUrl({ frontend_url }: DomainSettings): string {
  return `${frontend_url}/not-found`;
}

/** The user and organization of a login link. */
export interface LoginProfile {
  org_name: string;
  org_id: string;
  org_host: string;
  profile_id: string;
  profile_name: string;
  /** The whole token. A link that contains it is shown once, and never logged or stored. */
  profile_api_key: string;
}

/** A link that signs a person in to the web client. */
export function loginUrl({ frontend_url }: DomainSettings, profile: LoginProfile): string {
  const { org_name, org_id, org_host, profile_id, profile_name, profile_api_key } = profile;
  const members = { org_name, org_id, org_host, profile_id, profile_name, profile_api_key };
  return `${frontend_url}/auto-login?token=${base64Url(JSON.stringify(members))}`;
}
