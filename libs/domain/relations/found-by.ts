/** What the event index finds the events of grants on a resource by. */
export function grantsOn(resource_id: string): string {
  return `grant ${resource_id}`;
}

/** What the event index finds the events of a person's invites to a group by. */
export function invitesTo(group_id: string, invitee_id: string): string {
  return `invite ${group_id} ${invitee_id}`;
}
