import type { Context } from '../foundation/decision.js';
import { PREFIX, PUBLIC } from '../kernel/ids.js';

/** The display name of a user: the contact's name, or its id without a name; a placeholder for unknown users. */
export function userName(context: Context, user_id: string): string {
  const contact = context.state.contacts.get(user_id);
  if (!contact) return `Unknown User (${user_id})`;
  return context.open(contact.name, 'name') || contact.id;
}

/** The display name of an invitee: a user, a placeholder or everyone. */
export function inviteeName(context: Context, invitee_id: string): string {
  if (invitee_id === PUBLIC) return 'Public';
  if (invitee_id.startsWith(PREFIX.placeholder_invitee)) return 'Awaiting Anon';
  return userName(context, invitee_id);
}

/** A contact's avatar; null without one, or for users who are not contacts. */
export function userAvatar(context: Context, user_id: string): string | null {
  const contact = context.state.contacts.get(user_id);
  return (contact && context.open(contact.avatar, 'avatar')) || null;
}
