import { type DirectoryPage, ListDirectory } from '../../../libs/application/directory/list.js';
import { RECORD_KINDS } from '../../../libs/domain/drive/record-kinds.js';
import { PUBLIC } from '../../../libs/domain/kernel/ids.js';
import type { PointRequest } from '../../../libs/engine/past/points.js';
import { EXIT, Failure, Refused } from '../failure.js';
import { theOne } from '../organizations.js';
import {
  type Found,
  LARGEST_PAGE,
  type ShownRecord,
  allRecordsAt,
  lastRevisionOf,
  recordAt,
  recordsAt,
} from '../records.js';
import type { Question, Source } from '../source.js';
import { inLine } from './terminal.js';

/** Up to so many ids are requested singly; for more, whole pages are read. */
const FEW = 3;
/** Maximum ids requested singly that no page had. */
const MOST_SINGLE = 50;

/** Names of records at points of an organization. */
export class Names {
  private readonly records = new Map<string, ShownRecord>();
  private readonly sought = new Set<string>();
  /** Ids whose names were requested without being known. */
  private unknown = new Set<string>();
  private may_ask = true;
  /** True if paths must name their disk. */
  private has_disks = false;

  /** @param points the points at which records are looked up, in order */
  constructor(
    private readonly source: Source,
    private readonly points: readonly PointRequest[],
  ) {}

  /** Lines that show names, which are looked up until the lines request no further ones. */
  async text(linesOf: (names: Names) => readonly string[]): Promise<string> {
    for (;;) {
      const lines = linesOf(this);
      if (this.unknown.size === 0) return lines.join('\n');
      const ids = this.unknown;
      this.unknown = new Set();
      await this.learn(ids);
    }
  }

  /** Looks up the names of these ids. */
  private async learn(wanted: ReadonlySet<string>): Promise<void> {
    for (const id of wanted) this.sought.add(id);
    try {
      for (const point of this.points) await this.find(wanted, point);
      for (const id of this.missing(wanted).slice(0, MOST_SINGLE)) await this.findGone(wanted, id);
    } catch (error) {
      // Callers who are not auditors get answers about themselves without names.
      if (!(error instanceof Refused)) throw error;
      this.may_ask = false;
    }
  }

  private async find(wanted: ReadonlySet<string>, point: PointRequest): Promise<void> {
    if (!this.may_ask) return;
    const missing = this.missing(wanted);
    if (missing.length > FEW) {
      const families = new Set(missing.map((id) => RECORD_KINDS.familyOf(id)!));
      for (const family of families) this.keep(wanted, await recordsAt(this.source, point, family));
    }
    for (const id of this.missing(wanted).slice(0, MOST_SINGLE))
      this.keep(wanted, await recordAt(this.source, point, id));
  }

  /** A deleted record is shown with its last name. */
  private async findGone(wanted: ReadonlySet<string>, id: string): Promise<void> {
    if (!this.may_ask) return;
    const last = await lastRevisionOf(this.source, id);
    for (const revision of [last - 1, last])
      if (revision >= 0 && !this.records.has(id))
        this.keep(wanted, await recordAt(this.source, { revision }, id));
  }

  private missing(wanted: ReadonlySet<string>): string[] {
    return [...wanted].filter((id) => !this.records.has(id));
  }

  private keep(wanted: ReadonlySet<string>, { records, disks }: Found): void {
    this.has_disks ||= disks > 1;
    for (const record of records) if (wanted.has(record.id)) this.records.set(record.id, record);
  }

  /** The inviter of an invite; null if unknown. */
  inviterOf(invite_id: string): string | null {
    return this.record(invite_id)?.inviter_id ?? null;
  }

  /** The name for the middle of a sentence; the id if no name is known. */
  of(id: string): string {
    if (id === PUBLIC) return 'everybody';
    const record = this.record(id);
    if (!record) return id;
    const { full_directory_path: path } = record;
    if (path !== undefined) return this.path(path);
    const name = inLine(record.name || id);
    const shown = this.isShared(record) && name !== id ? `${name} (${id})` : name;
    const noun = RECORD_KINDS.of(id)?.definition.noun;
    return noun ? `the ${noun} ${shown}` : shown;
  }

  /** A path without a trailing slash; if there are several disks, with the disk's name: `Main:/Reports`. */
  path(path: string): string {
    const at = path.indexOf('::');
    if (at < 0) return path;
    const place = path.slice(at + '::'.length).replace(/(?<=.)\/$/, '');
    const disk_id = path.slice(0, at);
    const disk = this.record(disk_id)?.name ?? disk_id;
    return this.has_disks ? `${inLine(disk)}:${place}` : place;
  }

  /** A folder or file by its path; another record, whose path is empty, by its name. */
  place(id: string, path: string): string {
    return path.includes('::') ? this.path(path) : this.of(id);
  }

  private record(id: string): ShownRecord | undefined {
    const known = this.records.get(id);
    if (!known && !this.sought.has(id) && RECORD_KINDS.of(id)) this.unknown.add(id);
    return known;
  }

  private isShared({ id, name }: ShownRecord): boolean {
    for (const other of this.records.values())
      if (
        other.id !== id &&
        other.name === name &&
        RECORD_KINDS.familyOf(other.id) === RECORD_KINDS.familyOf(id)
      )
        return true;
    return false;
  }
}

const ID = /^[A-Za-z]+ID_/;
const TABLE = /^TABLE_/;
/** `/Reports` or `Main:/Reports`. */
const PATH = /^(?:([^/]+?):)?(\/.*)$/;

const LISTING: Question<ConstructorParameters<typeof ListDirectory>[1], DirectoryPage> = {
  path: 'directory/list',
  query: ListDirectory,
  body: ({ place, ...rest }) => ({ ...place, ...rest }),
};

/** The id given by `--who`: an id, or the name of exactly one user or group at the point. @throws Failure */
export async function granteeOf(source: Source, point: PointRequest, who: string): Promise<string> {
  if (who === PUBLIC || ID.test(who)) return who;
  const none = 'is neither an id nor the name of a user or a group at this point';
  return theOne('--who', who, await named(source, point, ['contacts', 'groups'], who), none);
}

/**
 * The id given by `--resource`: an id, the path of a folder or file, or the name of exactly one group, disk or user
 * at the point. @throws Failure
 */
export async function resourceOf(
  source: Source,
  point: PointRequest,
  resource: string,
): Promise<string> {
  if (ID.test(resource) || TABLE.test(resource)) return resource;
  const [, disk, path] = PATH.exec(resource) ?? [];
  if (path !== undefined) return atPath(source, point, resource, disk, path);
  const none = 'is neither an id, a path nor the name of a group, a disk or a user at this point';
  const found = await named(source, point, ['groups', 'disks', 'contacts'], resource);
  return theOne('--resource', resource, found, none);
}

async function named(
  source: Source,
  point: PointRequest,
  families: readonly string[],
  name: string,
): Promise<ShownRecord[]> {
  const found: ShownRecord[] = [];
  for (const family of families)
    for await (const record of allRecordsAt(source, point, family))
      if (isNamed(record, name)) found.push(record);
  return found;
}

function isNamed(record: ShownRecord, name: string): boolean {
  return record.name?.toLowerCase() === name.toLowerCase();
}

async function atPath(
  source: Source,
  point: PointRequest,
  written: string,
  disk: string | undefined,
  path: string,
): Promise<string> {
  const records = await Array.fromAsync(allRecordsAt(source, point, 'disks'));
  const disks = disk === undefined ? records : records.filter((one) => isNamed(one, disk));
  const none = 'names no disk at this point; write a path as Disk:/folder/file';
  const several = records.length > 1 && disk === undefined;
  if (several)
    throw new Failure(
      `--resource ${written}: there are several disks; name one, as in ${records[0]!.name}:${path}.`,
      EXIT.refused,
    );
  const disk_id = theOne('--resource', written, disks, none);
  const [parent, name] = [path.slice(0, path.lastIndexOf('/') + 1), path.split('/').at(-1)!];
  try {
    const { breadcrumbs } = await listed(source, point, `${disk_id}::${path}`, '');
    return breadcrumbs.at(-1)!.resource_id;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  // It is not a folder.
  const same: DirectoryPage['files'][number][] = [];
  try {
    let cursor: string | null = null;
    do {
      const page = await listed(source, point, `${disk_id}::${parent}`, name, cursor);
      same.push(...page.files.filter((file) => file.name === name));
      ({ cursor } = page);
    } while (cursor !== null && same.length === 0);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  return theOne('--resource', written, same, 'names no folder or file at this point');
}

function listed(
  source: Source,
  point: PointRequest,
  path: string,
  filters: string,
  cursor: string | null = null,
): Promise<DirectoryPage> {
  const page = { page_size: LARGEST_PAGE, direction: 'ASC' as const };
  const place = { path };
  return source.ask(LISTING, { place, filters, ...page, ...(cursor && { cursor }) }, point);
}
