import type { RecordBase } from '../../domain/kernel/record.js';
import { Box } from '../../domain/kernel/sealed.js';
import type { StoredRecords } from '../../domain/kernel/table.js';
import { Pace } from '../tasks/turns.js';
import { lengthOf } from './snapshot-sections.js';

type Fields = Record<string, unknown>;

/** One member of all records of a shape: the same plain value in all, or pieces of the given sizes in bytes. */
type Column =
  | { readonly name: string; readonly same: unknown }
  | { readonly name: string; readonly bytes: number; readonly wrapped?: true };

/** Records with the same members in the same order; the texts of their columns follow each other. */
export interface Shape {
  readonly count: number;
  readonly columns: readonly Column[];
}

/** The written form of a family's records: ids and columns of all shapes, one shape after the other. */
interface WrittenFamily {
  readonly shapes: readonly Shape[];
  readonly parts: readonly Buffer[];
}

/** Numbers boxes in order of occurrence, so that shared boxes are written once. */
export class BoxNumbers {
  private readonly numbers = new Map<Box, number>();

  of(box: Box): number {
    let number = this.numbers.get(box);
    if (number === undefined) this.numbers.set(box, (number = this.numbers.size));
    return number;
  }

  /** Key id and text of each box, in the order of their numbers. */
  rows(): [string, string][] {
    return Array.from(this.numbers.keys(), ({ key_id, text }) => [key_id, text]);
  }
}

/** Boxes written by `BoxNumbers`, by number; pieces are parsed and boxes created on demand. */
export class WrittenBoxes {
  private readonly rows: Pieces;
  private readonly made: Box[] = [];

  constructor(pieces: Buffer) {
    this.rows = new Pieces(pieces);
  }

  at(number: number): Box {
    return (this.made[number] ??= new Box(...(this.rows.at(number) as [string, string])));
  }
}

/** Values in pieces of JSON text; each piece is parsed on first use. */
class Pieces {
  private texts: (Buffer | null)[] | undefined;
  private readonly parsed: unknown[][] = [];

  constructor(private readonly bytes: Buffer) {}

  at(place: number): unknown {
    const nth = Math.floor(place / PER_PIECE);
    return (this.parsed[nth] ?? this.parse(nth))[place % PER_PIECE];
  }

  private parse(nth: number): unknown[] {
    const texts = (this.texts ??= piecesIn(this.bytes));
    const values = JSON.parse(texts[nth]!.toString()) as unknown[];
    texts[nth] = null;
    return (this.parsed[nth] = values);
  }
}

/**
 * Writes records as columns, cooperatively: the values of a member are stored together, and a value equal in all
 * records once.
 */
export async function writeFamily(
  records: Iterable<RecordBase>,
  boxes: BoxNumbers,
): Promise<WrittenFamily> {
  const by_shape = new Map<string, { names: readonly string[]; records: Fields[] }>();
  const pace = new Pace();
  for (const record of records as unknown as Iterable<Fields>) {
    // JSON would read an undefined member as null.
    const names = Object.keys(record).filter((name) => record[name] !== undefined);
    const shape = names.join('\n');
    const known = by_shape.get(shape);
    if (known) known.records.push(record);
    else by_shape.set(shape, { names, records: [record] });
    if (pace.is_due) await pace.turn();
  }
  const shapes: Shape[] = [];
  const parts: Buffer[] = [];
  for (const { names, records: alike } of by_shape.values()) {
    const columns: Column[] = [];
    for (const name of names) {
      const first = alike[0]![name];
      if (pace.is_due) await pace.turn();
      if (name !== 'id' && isPlain(first) && alike.every((record) => record[name] === first)) {
        columns.push({ name, same: first });
        continue;
      }
      const { pieces, wrapped } = await columnText(alike, name, boxes);
      columns.push({ name, bytes: lengthOf(pieces), ...(wrapped && { wrapped }) });
      parts.push(...pieces);
    }
    shapes.push({ count: alike.length, columns });
  }
  return { shapes, parts };
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

async function columnText(
  records: readonly Fields[],
  name: string,
  boxes: BoxNumbers,
): Promise<{ pieces: Buffer[]; wrapped: boolean }> {
  let wrapped = false;
  const written = (record: Fields): unknown => {
    const value = record[name];
    if (isPlain(value) || Array.isArray(value)) return value;
    wrapped = true;
    return value instanceof Box ? { $box: boxes.of(value) } : { $: value };
  };
  const pieces = await writePieces(records, written);
  return { pieces, wrapped };
}

function unwrapped(value: unknown, boxes: WrittenBoxes): unknown {
  if (isPlain(value) || Array.isArray(value)) return value;
  const { $, $box } = value as { $?: unknown; $box?: number };
  return $box === undefined ? $ : boxes.at($box);
}

/**
 * Records written by `writeFamily`. A piece of a column is parsed, and a record created, on first use: most queries
 * of past states read few records.
 */
export class WrittenRecords implements StoredRecords<RecordBase> {
  private readonly shapes: readonly { first: number; alike: AlikeRecords }[];

  constructor(shapes: readonly Shape[], bytes: Buffer, boxes: WrittenBoxes) {
    let first = 0;
    let begin = 0;
    this.shapes = shapes.map((shape) => {
      const length = shape.columns.reduce((sum, one) => sum + ('same' in one ? 0 : one.bytes), 0);
      const alike = new AlikeRecords(shape, bytes.subarray(begin, begin + length), boxes);
      const placed = { first, alike };
      first += shape.count;
      begin += length;
      return placed;
    });
  }

  /** Ids in the order of their positions. */
  *ids(): Generator<string> {
    for (const { alike } of this.shapes)
      for (let row = 0; row < alike.count; row++) yield alike.value('id', row) as string;
  }

  record(place: number): RecordBase {
    const { alike, first } = this.shapeAt(place);
    return alike.record(place - first) as unknown as RecordBase;
  }

  view(place: number): RecordBase {
    const { alike, first } = this.shapeAt(place);
    return alike.view(place - first) as unknown as RecordBase;
  }

  private shapeAt(place: number) {
    // Linear search: there are few shapes.
    let nth = this.shapes.length - 1;
    while (this.shapes[nth]!.first > place) nth--;
    return this.shapes[nth]!;
  }
}

class AlikeRecords {
  readonly count: number;
  /** A template with the values common to all; differing values are filled in. */
  private readonly common: Fields = {};
  private readonly differing: { name: string; pieces: Pieces; wrapped: boolean }[] = [];
  private readonly columns = new Map<string, (typeof this.differing)[number]>();
  private readonly viewed: Fields = {};
  private viewed_row = 0;

  constructor(
    { count, columns }: Shape,
    bytes: Buffer,
    private readonly boxes: WrittenBoxes,
  ) {
    this.count = count;
    let at = 0;
    for (const column of columns) {
      const { name } = column;
      const is_same = 'same' in column;
      this.common[name] = is_same ? column.same : null;
      if (is_same) {
        this.viewed[name] = column.same;
        continue;
      }
      const pieces = new Pieces(bytes.subarray(at, (at += column.bytes)));
      const differing = { name, pieces, wrapped: column.wrapped ?? false };
      this.differing.push(differing);
      this.columns.set(name, differing);
      Object.defineProperty(this.viewed, name, {
        enumerable: true,
        get: () => this.read(differing, this.viewed_row),
      });
    }
  }

  /** The member of a record, if it differs between records. */
  value(name: string, row: number): unknown {
    return this.read(this.columns.get(name)!, row);
  }

  record(row: number): Fields {
    const record = { ...this.common };
    for (const column of this.differing) record[column.name] = this.read(column, row);
    return record;
  }

  view(row: number): Fields {
    this.viewed_row = row;
    return this.viewed;
  }

  private read({ pieces, wrapped }: (typeof this.differing)[number], row: number): unknown {
    const value = pieces.at(row);
    return wrapped ? unwrapped(value, this.boxes) : value;
  }
}

/** Values per piece: few enough that writing or parsing one takes little time. */
const PER_PIECE = 1000;
/** Separates pieces: JSON text contains none. */
const LINE_FEED = 10;

/** Writes values as pieces of JSON text, one per line, cooperatively. */
export async function writePieces<T>(
  items: readonly T[],
  written: (item: T) => unknown,
): Promise<Buffer[]> {
  const pace = new Pace();
  const pieces: Buffer[] = [];
  for (let at = 0; at < items.length; at += PER_PIECE) {
    const values = items.slice(at, at + PER_PIECE).map(written);
    pieces.push(Buffer.from(`${JSON.stringify(values)}\n`));
    if (pace.is_due) await pace.turn();
  }
  return pieces;
}

function piecesIn(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(LINE_FEED, at);
    if (end < 0) throw new Error('a piece has no end');
    pieces.push(bytes.subarray(at, end));
    at = end + 1;
  }
  return pieces;
}

/** All values, one after the other. */
export function* valuesIn<T>(bytes: Buffer): Generator<T> {
  for (const piece of piecesIn(bytes)) yield* JSON.parse(piece.toString()) as T[];
}
