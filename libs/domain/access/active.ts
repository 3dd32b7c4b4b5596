import type { Records } from '../foundation/state.js';

/** True if the invite is active at `now` (ms), regardless of its invitee. */
export function isActive(invite: Records['invites'], now: number): boolean {
  return invite.active_from <= now && (invite.expires_at <= 0 || invite.expires_at > now);
}
