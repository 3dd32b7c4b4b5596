import { Access } from '../access/access.js';
import { resolveCaller } from '../access/caller.js';
import type { Context } from '../foundation/decision.js';
import { isRefusal, type Refusal, refuse } from '../kernel/refusal.js';

interface LoginQuestion {
  user_id: string;
  /** SHA-256 (hex) of the API key in the link. */
  key_digest: string;
}

/** The content of a login link, without the key. */
export interface LoginProfile {
  frontend_url: string;
  org_name: string;
  org_id: string;
  org_host: string;
  profile_id: string;
  profile_name: string;
}

/** The profile for a login link. It requires the contact itself or EDIT on it, and a valid key of that contact. */
export function loginProfile(context: Context, question: LoginQuestion): LoginProfile | Refusal {
  const { state, now, open, settings } = context;
  const { user_id, key_digest } = question;
  const access = Access.of(context);
  if (!access.self(user_id) && !access.can('EDIT', user_id)) return access.denied();
  const contact = state.contacts.get(user_id);
  if (!contact) return refuse('contact-not-found');
  const bearer = resolveCaller(state, { kind: 'api_key', digest: key_digest }, now);
  if (isRefusal(bearer)) return refuse('api-key-not-found');
  if (bearer.user_id !== user_id) return refuse('forbidden');
  // The addresses of now: those with which the organization was founded may belong to others since.
  return {
    frontend_url: settings.frontend_url,
    org_name: state.organization.name,
    org_id: state.drive_id,
    org_host: settings.host_url,
    profile_id: user_id,
    profile_name: open(contact.name, 'name') || user_id,
  };
}
