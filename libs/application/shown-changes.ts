import { isDeepStrictEqual } from 'node:util';
import { Access } from '../domain/access/access.js';
import type { Context } from '../domain/foundation/decision.js';
import type { ShownFrom } from '../domain/foundation/reading.js';
import { READ_SCHEMA } from './read-schema.js';

/** What changed about the presentation of a family. */
export interface Changes {
  /** Records that may be presented differently, deleted ones included. */
  readonly ids: ReadonlySet<string>;
  /** True if no record of the family was created, deleted, moved in its order, or changed in a field of clauses. */
  readonly is_same_set: boolean;
}

/** Nothing changed. */
export const NO_CHANGES: Changes = { ids: new Set(), is_same_set: true };

/** The rights that a presentation may depend on besides records. They are the same if all members are. */
interface Rights {
  readonly is_owner: boolean;
  /** Null for the owner, who needs no grant. */
  readonly grantees: ReadonlySet<string> | null;
  readonly open: Context['open'];
  /** Erased people: their data opens no more, though no record changes. */
  readonly erased_size: number;
}

function rightsOf(context: Context): Rights {
  const access = Access.of(context);
  const { is_owner } = access;
  const { open, state } = context;
  const { erased_size } = state.subjects;
  return { is_owner, grantees: is_owner ? null : access.grantees, open, erased_size };
}

function sameRights(one: Rights | null, other: Rights): boolean {
  return (
    one !== null &&
    one.is_owner === other.is_owner &&
    one.grantees === other.grantees &&
    one.open === other.open &&
    one.erased_size === other.erased_size
  );
}

/** Follows the changes that matter to the presentation of one family in one state. */
export class ShownChanges {
  /** Versions of the tables that it depends on. */
  private versions: ReadonlyMap<string, number> | null = null;
  private rights: Rights | null = null;

  constructor(
    private readonly family: string,
    private readonly shown_from: ShownFrom,
  ) {}

  /** The changes since the last call; null if all records may be presented differently. */
  next(context: Context): Changes | null {
    const rights = rightsOf(context);
    const has_same_rights = sameRights(this.rights, rights);
    this.rights = rights;
    const changes = this.changedRecords(context);
    return has_same_rights ? changes : null;
  }

  private changedRecords({ state }: Context): Changes | null {
    const before = this.versions;
    const versions = new Map<string, number>();
    const ids = new Set<string>();
    let is_known = before !== null;
    let is_same_set = true;
    for (const [family, concerned] of Object.entries(this.shown_from)) {
      const table = state.table(family);
      if (!table) throw new Error(`no family ${family} for a presentation to rest on`);
      versions.set(family, table.version);
      const replaced = is_known ? table.since(before!.get(family)!) : null;
      if (!replaced || (concerned === 'all' && replaced.length > 0)) {
        is_known = false;
        continue;
      }
      for (const { before: was, after: is } of replaced) {
        for (const record of [was, is])
          if (record && concerned !== 'all') for (const id of concerned(record)) ids.add(id);
        if (family === this.family) is_same_set &&= isSamePlace(family, was, is);
      }
    }
    this.versions = versions;
    return is_known ? { ids, is_same_set } : null;
  }
}

/** True if a replaced record keeps its place in the order, and matches the same clauses. */
function isSamePlace(family: string, was: object | undefined, is: object | undefined): boolean {
  if (was === undefined || is === undefined) return false;
  const { created_at, fields } = READ_SCHEMA[family]!;
  return (
    created_at(was) === created_at(is) &&
    Object.values(fields).every((field) => isDeepStrictEqual(field(was), field(is)))
  );
}
