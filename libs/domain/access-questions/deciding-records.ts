import { grantsOn, invitesTo } from '../relations/found-by.js';
import type { Permission } from '../access/permission.js';
import { nodesUpwards } from '../access/resources.js';
import type { DriveState, Records } from '../foundation/state.js';
import { PREFIX } from '../kernel/ids.js';
import type { RecordBase } from '../kernel/record.js';
import type { Identities } from './identity.js';

/**
 * The records that ever decided on the permissions of one identity on one resource: the resource, the folders above
 * it, the grants on them and on its table, and the groups and invites by which these apply. Found step by step: each
 * record may lead to others.
 */
export class DecidingRecords {
  private readonly ids = new Set<string>();
  private readonly found_by = new Set<string>();
  /** Resources whose grants apply. */
  private readonly places = new Set<string>();
  private readonly grantee_ids: readonly string[];
  /** Superswaps: from then on other grants may apply, even if the swap changed none. */
  private readonly revisions: readonly number[];

  /** @param state the last one; records to begin with are found in it */
  constructor(state: DriveState, grantee_id: string, resource_id: string, identities: Identities) {
    const resource_ids = identities.everOf(resource_id);
    this.grantee_ids = identities.everOf(grantee_id);
    this.revisions = identities.revisionsOf(new Set([...this.grantee_ids, ...resource_ids]));
    this.ids.add(state.drive_id);
    for (const id of [state.kinds.tableOf(resource_id), ...resource_ids]) this.addPlace(id);
    for (const { parent_folder_uuid: parent_id } of nodesUpwards(state, resource_id))
      if (parent_id !== null) this.addPlace(parent_id);
    for (const place of this.places)
      for (const grants of [state.directory_permissions, state.system_permissions])
        for (const grant of grants.where('resource', place)) this.addGrant(grant);
  }

  /** Increases with everything found. */
  get size(): number {
    return this.ids.size + this.found_by.size;
  }

  /** What finds the events to be folded, as far as known. */
  choice() {
    const { ids, found_by, revisions } = this;
    return { ids: new Set(ids), found_by: [...found_by], revisions };
  }

  /** Adds a record that an event about the others reads. */
  add(id: string): void {
    this.ids.add(id);
  }

  /** Adds what the records changed by the last event lead to. */
  note({ undo_log }: DriveState): void {
    for (const { definition, after } of undo_log.changesSince(0))
      if (after) this.noteRecord(definition.name, after);
  }

  private noteRecord(family: string, record: RecordBase): void {
    switch (family) {
      case 'folders':
      case 'files': {
        const { parent_folder_uuid: parent_id } = record as Records['folders' | 'files'];
        if (parent_id !== null && this.places.has(record.id)) this.addPlace(parent_id);
        return;
      }
      case 'directory_permissions':
      case 'system_permissions': {
        const grant = record as Permission;
        if (this.places.has(grant.resource_id)) this.addGrant(grant);
        return;
      }
      case 'group_invites': {
        const { id, group_id, invitee_id } = record as Records['invites'];
        if (this.places.has(id)) this.addPlace(group_id);
        if (this.found_by.has(invitesTo(group_id, invitee_id))) this.ids.add(id);
      }
    }
  }

  private addPlace(id: string): void {
    this.places.add(id);
    this.ids.add(id);
    this.found_by.add(grantsOn(id));
  }

  private addGrant({ id, granted_to }: Permission): void {
    this.ids.add(id);
    if (!granted_to.startsWith(PREFIX.group)) return;
    this.ids.add(granted_to);
    for (const invitee_id of this.grantee_ids) this.found_by.add(invitesTo(granted_to, invitee_id));
  }
}
