import type { RecordBase } from '../kernel/record.js';
import type { Permission } from './permission.js';
import type { DriveState, Records } from '../foundation/state.js';
import type { Context } from '../foundation/decision.js';
import type { ReadDefinition, Visibility } from '../foundation/reading.js';
import { hasNone, type Table } from '../kernel/table.js';
import { Access } from './access.js';

export type VisibilityRule = Pick<ReadDefinition<never, unknown>, 'visible' | 'rests_on'>;

interface Known {
  readonly visibility: Visibility;
  readonly is_owner: boolean;
  readonly grantees: ReadonlySet<string>;
  readonly epoch: number;
  readonly revision: number;
  /** Versions of the tables that it depends on, in order. */
  readonly versions: number[];
}

const NOBODY: ReadonlySet<string> = new Set();

/**
 * A caller's visibility of one family in one state, recomputed only if it may have changed: after a window opened or
 * closed, or after a change of a dependency that concerns the caller.
 */
export class KnownVisibility {
  private known?: Known;

  constructor(private readonly rule: VisibilityRule) {}

  /** The same object until it changes. */
  visible(context: Context): Visibility {
    context.state.undo_log.edges.pass(context.now);
    if (!this.known || !this.holds(this.known, context)) this.known = this.find(context);
    return this.known.visibility;
  }

  private find(context: Context): Known {
    const { state } = context;
    const { rests_on = [] } = this.rule;
    const access = Access.of(context);
    return {
      visibility: this.rule.visible(context),
      is_owner: access.is_owner,
      // The owner may own many groups, and needs no grant.
      grantees: access.is_owner ? NOBODY : access.grantees,
      epoch: state.undo_log.edges.epoch,
      revision: state.revision,
      versions: rests_on.map((family) => tableOf(state, family).version),
    };
  }

  private holds(known: Known, context: Context): boolean {
    const { state, caller } = context;
    const { rests_on } = this.rule;
    if (known.is_owner !== Access.of(context).is_owner) return false;
    if (known.epoch !== state.undo_log.edges.epoch) return false;
    if (!rests_on) return known.revision === state.revision;
    return rests_on.every((family, at) => {
      const table = tableOf(state, family);
      if (table.version === known.versions[at]) return true;
      const replaced = table.since(known.versions[at]!);
      if (!hasNone(replaced, (record) => concerns(family, record, caller.user_id, known)))
        return false;
      known.versions[at] = table.version;
      return true;
    });
  }
}

/** @throws Error for an unknown family: its dependants would never be recomputed */
function tableOf(state: DriveState, family: string): Table<RecordBase> {
  const table = state.table(family);
  if (!table) throw new Error(`no family ${family} for a visibility to rest on`);
  return table;
}

/** True if this record may change the caller's visibility. */
function concerns(
  family: string,
  record: RecordBase,
  user_id: string,
  { grantees, is_owner }: Known,
): boolean {
  switch (family) {
    case 'group_invites':
      return !is_owner && (record as Records['invites']).invitee_id === user_id;
    case 'groups':
      return !is_owner && (record as Records['groups']).owner === user_id;
    case 'system_permissions':
    case 'directory_permissions':
      return grantees.has((record as Permission).granted_to);
    default:
      return true;
  }
}
