import { Pins } from './indexes/pins.js';
import { TimeEdges } from './indexes/time-edges.js';
import type { FamilyDefinition, RecordBase } from './record.js';
import { atOnce, type Steps } from './steps.js';

/** The undo log's view of a table. */
interface LoggedTable {
  readonly definition: FamilyDefinition<RecordBase>;
  readonly size: number;
  views(): Iterable<RecordBase>;
  get(id: string): RecordBase | undefined;
  restore(id: string, record: RecordBase | undefined): unknown;
}

interface Write {
  readonly table: LoggedTable;
  readonly id: string;
  readonly before: RecordBase | undefined;
  readonly after: RecordBase | undefined;
  /** This write retired the id for the first time. */
  readonly retired: boolean;
  /** The edges of both records are known: see `UndoLog.edges`. */
  has_known_edges: boolean;
}

/** A change outside all tables, and its rollback. */
interface UndoAction {
  readonly undo: () => void;
  readonly redo: () => void;
}

type Entry = Write | UndoAction;

/** Changes that were rolled back and can be made again, newest first: those to make next are at its end. */
export type UndoneChanges = Entry[];

/** The last change of a record among so many that would be made next; undefined if there is none. */
export function changeIn(
  undone: UndoneChanges,
  many: number,
  table: LoggedTable,
  id: string,
): Pick<Write, 'after'> | undefined {
  for (let at = undone.length - many; at < undone.length; at++) {
    const entry = undone[at]!;
    if (isChangeOf(entry, table, id)) return entry;
  }
  return undefined;
}

function isChangeOf(entry: Entry, table: LoggedTable, id: string): entry is Write {
  return !('undo' in entry) && entry.table === table && entry.id === id;
}

function keyOf({ table: { definition }, id, after }: Write): TouchedKey {
  const { name: family, found_by } = definition;
  return found_by && after ? { family, id, found_by: found_by(after) } : { family, id };
}

export interface TouchedKey {
  readonly family: string;
  readonly id: string;
  /** What the event index finds the event by besides the id: see `FamilyDefinition.found_by`. */
  readonly found_by?: string;
}

/** One record before and after some events; undefined if there was or is none. */
export interface RecordChange {
  readonly definition: FamilyDefinition<RecordBase>;
  readonly id: string;
  readonly before: RecordBase | undefined;
  readonly after: RecordBase | undefined;
}

const NONE: ReadonlySet<string> = new Set();
/** Records per step that only looks at them. */
const FOUND_AT_ONCE = 100;
/** Changes, as of most events, that are compared with each other: faster than a text for each record. */
const FEW_CHANGES = 4;
/** Changes undone or made again per step. */
const UNDONE_AT_ONCE = 500;
/** Records that may be read without yielding during a cooperative fold. */
const FEW_RECORDS = 1_000;

/** During a cooperative fold, the next event needs an aggregation over many records: steps to run first. */
export class Unprepared extends Error {
  override readonly name = 'Unprepared';
  constructor(readonly steps: Iterable<void>) {
    super('what the event needs is to be prepared in turns');
  }
}

/**
 * The undo log of all tables of one state: the keys touched since a mark, and how to roll back. A refused
 * transaction, a dry run and a failed append therefore cost a rollback, not a copy.
 */
export class UndoLog {
  /** Revision of the event being applied. */
  revision = -1;
  /** True during an event that can be repeated: reads of many records then throw `Unprepared`. */
  in_turns = false;
  /** True between the steps of an event: the state is then one of no revision. */
  is_midway = false;
  private readonly entries: Entry[] = [];
  /** Entries that were discarded while their changes stayed. */
  private forgotten = 0;
  /** Ids retired here, and ids retired earlier, as known from a snapshot. */
  private readonly retired = new Set<string>();
  private retired_before: () => ReadonlySet<string> = () => NONE;
  // Aggregations over all records are computed on first use and updated from then on.
  private known_edges: TimeEdges | null = null;
  /** False while a change is undone or made again whose edges are known: they stay when it is undone. */
  private adds_edges = true;
  private known_pins: Pins | null = null;
  private references: Map<string, number> | null = null;
  /** Called for every replaced record, including rollbacks. */
  onReplace?: (
    family: FamilyDefinition<RecordBase>,
    before: RecordBase | undefined,
    after: RecordBase | undefined,
  ) => void;

  /** @param tables all tables that write to this undo log, read once they exist */
  constructor(private readonly tables: () => readonly LoggedTable[]) {}

  /** Times at which windows of records open or close. */
  get edges(): TimeEdges {
    return this.known_edges ?? this.findEdges();
  }

  get pins(): Pins {
    return this.known_pins ?? this.findPins();
  }

  write(
    table: LoggedTable,
    id: string,
    before: RecordBase | undefined,
    after: RecordBase | undefined,
  ): void {
    const retires = !after && !table.definition.reusable_ids && !this.retired.has(id);
    if (retires) this.retired.add(id);
    const has_known_edges = this.known_edges !== null;
    this.entries.push({ table, id, before, after, retired: retires, has_known_edges });
  }

  /** Updates references to users and pins of labels after a replacement. */
  replaced(
    family: FamilyDefinition<RecordBase>,
    before: RecordBase | undefined,
    after: RecordBase | undefined,
  ): void {
    if (this.references) countReferences(this.references, family, before, after);
    if (this.known_edges && after && this.adds_edges)
      addEdges(this.known_edges, family, before, after);
    if (this.known_pins && before?.label_ids !== after?.label_ids)
      this.known_pins.replaced((after ?? before)!.id, before?.label_ids, after?.label_ids);
    this.onReplace?.(family, before, after);
  }

  /** How many fields of live records hold this user id (a contact's own id does not count). */
  referencesTo(user_id: string): number {
    return this.counted.get(user_id) ?? 0;
  }

  /** True for the id of a deleted record. */
  isRetired(id: string): boolean {
    return this.retired.has(id) || this.retired_before().has(id);
  }

  /** Every id once; must be read before any change. */
  *retiredIds(): Generator<string> {
    const before = this.retired_before();
    yield* before;
    for (const id of this.retired) if (!before.has(id)) yield id;
  }

  /** Sets the ids retired earlier; they are read on demand. */
  retireBefore(ids: () => ReadonlySet<string>): void {
    let known: ReadonlySet<string> | undefined;
    this.retired_before = () => (known ??= ids());
  }

  /** Makes a change of working data, which no hash covers and no listener sees. */
  make(action: UndoAction): void {
    action.redo();
    this.entries.push(action);
  }

  /** A mark for `undoTo`. */
  mark(): number {
    return this.entries.length;
  }

  /** Number of changes that made this state, from an empty one or a snapshot. */
  get made(): number {
    return this.forgotten + this.entries.length;
  }

  /** Rolls back everything since the mark, newest first. */
  undoTo(mark: number): void {
    while (this.entries.length > mark) this.undoLast();
  }

  /** The same in steps. */
  *undoing(mark: number): Steps {
    while (this.entries.length > mark) {
      this.undoTo(Math.max(mark, this.entries.length - UNDONE_AT_ONCE));
      yield;
    }
  }

  /** The same, and adds the changes to those that may be made again: states that move allocate nothing. */
  undoKeeping(mark: number, undone: UndoneChanges): void {
    while (this.entries.length > mark) undone.push(this.undoLast());
  }

  /** Makes so many changes again, in the state that their rollback left. */
  redo(undone: UndoneChanges, many: number): void {
    for (let left = many; left > 0; left--) {
      const entry = undone.pop()!;
      this.entries.push(entry);
      if ('undo' in entry) {
        entry.redo();
        continue;
      }
      this.restore(entry, entry.after);
      if (entry.retired) this.retired.add(entry.id);
    }
  }

  /** Keys touched since the mark, each once, in the order of their first change. */
  touchedSince(mark: number): TouchedKey[] {
    return this.fewTouched(mark) ?? atOnce(this.findTouched(mark));
  }

  /** The same in steps. */
  *findTouched(mark: number): Steps<TouchedKey[]> {
    const few = this.fewTouched(mark);
    if (few) return few;
    const { entries } = this;
    const seen = new Map<string, TouchedKey>();
    for (let at = mark; at < entries.length; at++) {
      const entry = entries[at]!;
      if ('undo' in entry) continue;
      const key = `${entry.table.definition.name}\t${entry.id}`;
      // What a record is found by is that of its last change, if it is not removed.
      if (!seen.has(key) || entry.after) seen.set(key, keyOf(entry));
      if (seen.size % FOUND_AT_ONCE === 0) yield;
    }
    return [...seen.values()];
  }

  /** The same keys if there are few changes, each of another record; else null. */
  private fewTouched(mark: number): TouchedKey[] | null {
    const { entries } = this;
    if (entries.length - mark > FEW_CHANGES) return null;
    const touched: TouchedKey[] = [];
    for (let at = mark; at < entries.length; at++) {
      const entry = entries[at]!;
      if ('undo' in entry) continue;
      for (let before = mark; before < at; before++)
        if (isChangeOf(entries[before]!, entry.table, entry.id)) return null;
      touched.push(keyOf(entry));
    }
    return touched;
  }

  /** The change of each record touched since the mark, in the order of first changes. */
  changesSince(mark: number): RecordChange[] {
    const changes = new Map<string, RecordChange>();
    for (let at = mark; at < this.entries.length; at++) {
      const entry = this.entries[at]!;
      if ('undo' in entry) continue;
      const { table, id, before, after } = entry;
      const { definition } = table;
      const key = `${definition.name}\t${id}`;
      const first = changes.get(key);
      changes.set(key, { definition, id, before: first ? first.before : before, after });
    }
    return [...changes.values()];
  }

  /** A record as it was at a mark, in a state that is changed no further than by the entries since. */
  recordAt(table: LoggedTable, id: string, mark: number): RecordBase | undefined {
    const { entries } = this;
    for (let at = mark; at < entries.length; at++) {
      const entry = entries[at]!;
      if (isChangeOf(entry, table, id)) return entry.before;
    }
    return table.get(id);
  }

  /** Discards the undo entries before a mark; later marks decrease by it. */
  forgetTo(mark: number): void {
    this.forgotten += mark;
    this.entries.splice(0, mark);
  }

  /** Discards the undo entries; the changes stay. */
  forget(): void {
    this.forgotten += this.entries.length;
    // Setting the length to 0 would free the array's memory, which the next event needs again.
    while (this.entries.length > 0) this.entries.pop();
  }

  /**
   * Runs all steps, which read so many records.
   * @throws Unprepared instead, if there are many and the fold is cooperative
   */
  atOnce(records: number, steps: Iterable<void>): void {
    if (this.in_turns && records > FEW_RECORDS) throw new Unprepared(steps);
    for (const _ of steps);
  }

  private undoLast(): Entry {
    const entry = this.entries.pop()!;
    if ('undo' in entry) {
      entry.undo();
      return entry;
    }
    this.restore(entry, entry.before);
    if (entry.retired) this.retired.delete(entry.id);
    return entry;
  }

  private restore(entry: Write, record: RecordBase | undefined): void {
    this.adds_edges = !entry.has_known_edges;
    entry.table.restore(entry.id, record);
    this.adds_edges = true;
    entry.has_known_edges = this.known_edges !== null;
  }

  private get size(): number {
    return this.tables().reduce((sum, { size }) => sum + size, 0);
  }

  private get counted(): Map<string, number> {
    if (!this.references) this.atOnce(this.size, this.counting());
    return this.references!;
  }

  private findEdges(): TimeEdges {
    this.atOnce(this.size, this.finding());
    return this.known_edges!;
  }

  private findPins(): Pins {
    this.atOnce(this.size, this.finding());
    return this.known_pins!;
  }

  /** Computes edges and pins unless they are known, in small steps; the state must not change meanwhile. */
  *finding(): Generator<void> {
    if (this.known_edges && this.known_pins) return;
    const edges = new TimeEdges();
    const pins = new Pins();
    let nth = 0;
    for (const { definition, record } of this.records()) {
      addEdges(edges, definition, undefined, record);
      if (record.label_ids) pins.replaced(record.id, undefined, record.label_ids);
      if (++nth % FOUND_AT_ONCE === 0) yield;
    }
    this.known_edges ??= edges;
    this.known_pins ??= pins;
  }

  /** Counts references to users unless they are counted, in small steps; the state must not change meanwhile. */
  *counting(): Generator<void> {
    if (this.references) return;
    const references = new Map<string, number>();
    let nth = 0;
    for (const { definition, record } of this.records()) {
      countReferences(references, definition, undefined, record);
      if (++nth % FOUND_AT_ONCE === 0) yield;
    }
    this.references = references;
  }

  private *records() {
    for (const table of this.tables())
      for (const record of table.views()) yield { definition: table.definition, record };
  }
}

/** Adds the edges that a record did not have before. */
function addEdges(
  edges: TimeEdges,
  { windows }: FamilyDefinition<RecordBase>,
  before: RecordBase | undefined,
  after: RecordBase,
): void {
  if (!windows) return;
  const known = before ? windows(before) : [];
  for (const edge of windows(after)) if (!known.includes(edge)) edges.add(edge);
}

/** Updates the counts of references after a replacement. */
function countReferences(
  references: Map<string, number>,
  { user_fields }: FamilyDefinition<RecordBase>,
  before: RecordBase | undefined,
  after: RecordBase | undefined,
): void {
  for (const field of user_fields as readonly string[]) {
    const was = before && (before as unknown as Record<string, unknown>)[field];
    const is = after && (after as unknown as Record<string, unknown>)[field];
    if (was === is) continue;
    count(references, was, -1);
    count(references, is, 1);
  }
}

/** Counts the references of a field: a user id, several, or none. */
function count(references: Map<string, number>, held: unknown, by: number): void {
  if (Array.isArray(held)) for (const user_id of held) count(references, user_id, by);
  if (typeof held !== 'string') return;
  const next = (references.get(held) ?? 0) + by;
  if (next === 0) references.delete(held);
  else references.set(held, next);
}
