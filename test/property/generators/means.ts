import type { DriveState } from '../../../libs/domain/foundation/state.js';
import type { Chance } from './chance.js';

export const USERS = Array.from({ length: 10 }, (_, at) => `UserID_user-${at}`);
export const NOTES = ['', 'first', 'second note', 'Ünïcode ✓', 'x'.repeat(300)];
const WINDOWS = [-1, 0, 1, 60_000, 3 * 86_400_000];

/** What a command is made of: chance, the state that it meets, and ids. */
export class Means {
  /** Fields that any record may bring. */
  readonly external: { external_id?: string; note?: string };
  /** A time from which something counts, and one after it; 0 and -1: always. */
  readonly begins: number;
  readonly ends: number;
  private readonly own_id: string | undefined;

  /** @param made how many commands were made before; no two have the same number */
  constructor(
    readonly chance: Chance,
    readonly state: DriveState,
    readonly now: number,
    readonly made: number,
  ) {
    this.external = {
      ...chance.maybe('external_id', this.note()),
      ...chance.maybe('note', this.note()),
    };
    this.begins = chance.of(WINDOWS) <= 0 ? 0 : now + chance.of(WINDOWS);
    this.ends = chance.of([-1, -1, this.begins + 60_000, now + 86_400_000]);
    this.own_id = chance.once(6) ? this.id([this.fresh('x'), 'x1', 'x2'], 'x') : undefined;
  }

  readonly note = (): string => this.chance.of(NOTES);

  /** Mostly one of these ids, at times one that nobody has. */
  readonly id = (ids: Iterable<string>, prefix: string): string => {
    const live = [...ids];
    return live.length === 0 || this.chance.once(12) ? `${prefix}nobody` : this.chance.of(live);
  };

  readonly user = (): string => anyUser(this.chance, this.state);

  readonly group = (): string => this.id(this.state.groups.ids(), 'GroupID_');

  /** A file or folder, by the end of the command's name. */
  readonly item = (of: string): string =>
    of.endsWith('File')
      ? this.id(this.state.files.ids(), 'FileID_')
      : this.id(this.state.folders.ids(), 'FolderID_');

  /** An id that no other command has. */
  readonly fresh = (prefix: string): string => `${prefix}${this.made}`;

  /** At times an id that the client chose. */
  readonly chosen = (prefix: string): { id?: string } =>
    this.own_id === undefined ? {} : { id: prefix + this.own_id };

  get code() {
    return { code: this.fresh('RedeemTokenID_'), code_digest: this.fresh('digest-') };
  }

  get key() {
    const { fresh } = this;
    return {
      api_key_id: fresh('ApiKeyID_'),
      value: fresh('value-'),
      digest: fresh('key-digest-'),
      last4: 'last',
    };
  }

  get disk() {
    const { fresh } = this;
    return {
      disk_id: fresh('DiskID_'),
      root_folder: fresh('FolderID_root'),
      trash_folder: fresh('FolderID_trash'),
      everyone_permission_id: fresh('DirectoryPermissionID_e'),
      root_permission_id: fresh('DirectoryPermissionID_r'),
      trash_permission_id: fresh('DirectoryPermissionID_t'),
    };
  }
}

/** Mostly one with a contact. */
export function anyUser(chance: Chance, state: DriveState): string {
  const pool = chance.once(4) ? USERS : [...state.contacts.ids()];
  return pool.length > 0 ? chance.of(pool) : USERS[0]!;
}
