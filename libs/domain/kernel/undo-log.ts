import { Pins } from './indexes/pins.js';
import { TimeEdges } from './indexes/time-edges.js';
import type { FamilyDefinition, RecordBase } from './record.js';

/** A table as far as the undo_log knows it. */
export interface JournaledTable {
  readonly definition: FamilyDefinition<RecordBase>;
  readonly size: number;
  views(): Iterable<RecordBase>;
  restore(id: string, record: RecordBase | undefined): unknown;
}

interface Write {
  readonly table: JournaledTable;
  readonly id: string;
  readonly before: RecordBase | undefined;
  readonly after: RecordBase | undefined;
  /** The write retired this id for the first time. */
  readonly retired: boolean;
}

/** A change outside all tables: how to take it back. */
interface UndoAction {
  readonly undo: () => void;
}

type Entry = Write | UndoAction;

/** Names one record that changed. */
export interface TouchedKey {
  readonly family: string;
  readonly id: string;
}

/** One record before and after some events; undefined where there was or is none. */
export interface RecordChange {
  readonly definition: FamilyDefinition<RecordBase>;
  readonly id: string;
  readonly before: RecordBase | undefined;
  readonly after: RecordBase | undefined;
}

const NONE: ReadonlySet<string> = new Set();
/** Records of a step in aggregations. */
const FOUND_AT_ONCE = 100;
/** Records that may be read at once while events are folded in turns. */
const FEW_RECORDS = 1_000;

/** Events are folded in turns, and the next one needs what many records must be read for: steps to take first. */
export class Unprepared extends Error {
  override readonly name = 'Unprepared';
  constructor(readonly steps: Iterable<void>) {
    super('what the event needs is to be prepared in turns');
  }
}

/**
 * The change log under all tables of one state: what was touched since a mark, and how to undo it.
 * So a refused transaction, a dry run and a failed append cost an undo, not a copy.
 */
export class UndoLog {
  /** Revision of the event being applied. */
  revision = -1;
  /** True while an event is applied that can be applied again: nothing then reads many records at once. */
  in_turns = false;
  private readonly entries: Entry[] = [];
  /** Ids retired here, and before that: those a snapshot knows of. */
  private readonly retired = new Set<string>();
  private retired_before: () => ReadonlySet<string> = () => NONE;
  // Aggregations over all records are computed on first use and updated from then on.
  private known_edges: TimeEdges | null = null;
  private known_pins: Pins | null = null;
  private references: Map<string, number> | null = null;
  /** Told of every record that took another's place, undo included. */
  onReplace?: (
    family: FamilyDefinition<RecordBase>,
    before: RecordBase | undefined,
    after: RecordBase | undefined,
  ) => void;

  /** @param tables all tables that write to this undo_log, asked for once they are there */
  constructor(private readonly tables: () => readonly JournaledTable[]) {}

  /** When windows of records open or close. */
  get edges(): TimeEdges {
    return this.known_edges ?? this.findEdges();
  }

  /** Which records carry which label. */
  get pins(): Pins {
    return this.known_pins ?? this.findPins();
  }

  write(
    table: JournaledTable,
    id: string,
    before: RecordBase | undefined,
    after: RecordBase | undefined,
  ): void {
    const retires = !after && !table.definition.reusable_ids && !this.retired.has(id);
    if (retires) this.retired.add(id);
    this.entries.push({ table, id, before, after, retired: retires });
  }

  /** Keeps references to users and pins of labels in step with a record that took another's place. */
  replaced(
    family: FamilyDefinition<RecordBase>,
    before: RecordBase | undefined,
    after: RecordBase | undefined,
  ): void {
    if (this.references) countReferences(this.references, family, before, after);
    if (this.known_edges && after) addEdges(this.known_edges, family, after);
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

  /** Every id once; to be read before anything changes. */
  *retiredIds(): Generator<string> {
    const before = this.retired_before();
    yield* before;
    for (const id of this.retired) if (!before.has(id)) yield id;
  }

  /** Has a new undo_log know ids retired before; they are asked for only when somebody wants to know. */
  retireBefore(ids: () => ReadonlySet<string>): void {
    let known: ReadonlySet<string> | undefined;
    this.retired_before = () => (known ??= ids());
  }

  /** Has a new undo_log know the ids that another does. */
  retireAsIn(other: UndoLog): void {
    this.retired_before = other.retired_before;
    for (const id of other.retired) this.retired.add(id);
  }

  /** Records a change of working data, which no hash covers and no listener sees. */
  done(undo: () => void): void {
    this.entries.push({ undo });
  }

  /** A place in the log to come back to. */
  mark(): number {
    return this.entries.length;
  }

  /** Takes back everything since the mark, newest first. */
  undoTo(mark: number): void {
    while (this.entries.length > mark) {
      const entry = this.entries.pop()!;
      if ('undo' in entry) {
        entry.undo();
        continue;
      }
      const { table, id, before, retired } = entry;
      table.restore(id, before);
      if (retired) this.retired.delete(id);
    }
  }

  /** Keys touched since the mark, each once, in the order of their first change. */
  touchedSince(mark: number): TouchedKey[] {
    const first = this.entries[mark];
    // As after most events.
    if (first && !('undo' in first) && this.entries.length === mark + 1)
      return [{ family: first.table.definition.name, id: first.id }];
    const seen = new Map<string, TouchedKey>();
    for (let at = mark; at < this.entries.length; at++) {
      const entry = this.entries[at]!;
      if ('undo' in entry) continue;
      const { table, id } = entry;
      const key = `${table.definition.name}\t${id}`;
      if (!seen.has(key)) seen.set(key, { family: table.definition.name, id });
    }
    return [...seen.values()];
  }

  /** What became of each record touched since the mark, in the order of their first change. */
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

  /** Forgets how to undo; what was done stays. */
  forget(): void {
    // Cutting the list off would have it make room anew for the next event.
    while (this.entries.length > 0) this.entries.pop();
  }

  /**
   * Takes all steps that read so many records.
   * @throws Unprepared instead, if they are many and events are folded in turns
   */
  atOnce(records: number, steps: Iterable<void>): void {
    if (this.in_turns && records > FEW_RECORDS) throw new Unprepared(steps);
    for (const _ of steps);
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

  /** Finds edges and pins unless they are known, in small steps; nothing may change meanwhile. */
  *finding(): Generator<void> {
    if (this.known_edges && this.known_pins) return;
    const edges = new TimeEdges();
    const pins = new Pins();
    let nth = 0;
    for (const { definition, record } of this.records()) {
      addEdges(edges, definition, record);
      if (record.label_ids) pins.replaced(record.id, undefined, record.label_ids);
      if (++nth % FOUND_AT_ONCE === 0) yield;
    }
    this.known_edges ??= edges;
    this.known_pins ??= pins;
  }

  /** Counts references to users unless they are counted, in small steps; nothing may change meanwhile. */
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

function addEdges(edges: TimeEdges, { windows }: FamilyDefinition<RecordBase>, record: RecordBase) {
  if (windows) for (const edge of windows(record)) edges.add(edge);
}

/** Counts what the fields of a record refer to that took another's place. */
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

/** Counts what a field refers to: a user id, several, or nobody. */
function count(references: Map<string, number>, held: unknown, by: number): void {
  if (Array.isArray(held)) for (const user_id of held) count(references, user_id, by);
  if (typeof held !== 'string') return;
  const next = (references.get(held) ?? 0) + by;
  if (next === 0) references.delete(held);
  else references.set(held, next);
}
