import { setImmediate as nextTurn } from 'node:timers/promises';
import { Box } from '../domain/kernel/sealed.js';
import type { RecordBase, StoredRecords } from '../domain/kernel/table.js';

/** Records written before the event loop gets a turn. */
const RECORDS_PER_TURN = 1000;

type Fields = Record<string, unknown>;

/** One member of all records of a shape: the same plain value in all, or JSON text of so many bytes. */
type Column =
  | { readonly name: string; readonly same: unknown }
  | { readonly name: string; readonly bytes: number; readonly wrapped?: true };

/** Records with the same members in the same order; their columns' texts follow one another. */
export interface Shape {
  readonly count: number;
  readonly columns: readonly Column[];
}

/** A family's records as written: ids and columns of all shapes, one shape after the other. */
export interface WrittenFamily {
  readonly shapes: readonly Shape[];
  readonly bytes: Buffer;
}

/** Boxes by the numbers under which rows refer to them. */
export interface NumberedBoxes {
  at(number: number): Box;
}

/** Numbers boxes as they are met, so that those that several records share are written once. */
export class BoxNumbers {
  private readonly numbers = new Map<Box, number>();

  of(box: Box): number {
    let number = this.numbers.get(box);
    if (number === undefined) this.numbers.set(box, (number = this.numbers.size));
    return number;
  }

  toJSON(): { key_ids: string[]; texts: string[] } {
    const boxes = [...this.numbers.keys()];
    return { key_ids: boxes.map(({ key_id }) => key_id), texts: boxes.map(({ text }) => text) };
  }
}

/** Boxes as `BoxNumbers` wrote them, the text parsed and each made when one is asked for. */
export class WrittenBoxes implements NumberedBoxes {
  private parsed: ReturnType<BoxNumbers['toJSON']> | undefined;
  private readonly made: Box[] = [];

  constructor(private readonly json: Buffer) {}

  at(number: number): Box {
    const { key_ids, texts } = (this.parsed ??= JSON.parse(this.json.toString()) as {
      key_ids: string[];
      texts: string[];
    });
    return (this.made[number] ??= new Box(key_ids[number]!, texts[number]!));
  }
}

/** Writes records as columns, in turns: a member's values stand together, and equal ones stand there once. */
export async function writeFamily(
  records: Iterable<RecordBase>,
  boxes: BoxNumbers,
): Promise<WrittenFamily> {
  const by_shape = new Map<string, { names: readonly string[]; records: Fields[] }>();
  let since_turn = 0;
  for (const record of records as unknown as Iterable<Fields>) {
    // JSON would bring an undefined member back as null.
    const names = Object.keys(record).filter((name) => record[name] !== undefined);
    const shape = names.join('\n');
    const known = by_shape.get(shape);
    if (known) known.records.push(record);
    else by_shape.set(shape, { names, records: [record] });
    if (++since_turn % RECORDS_PER_TURN === 0) await nextTurn();
  }
  const shapes: Shape[] = [];
  const texts: Buffer[] = [];
  for (const { names, records: alike } of by_shape.values()) {
    const columns: Column[] = [];
    for (const name of names) {
      const first = alike[0]![name];
      if (name !== 'id' && isPlain(first) && alike.every((record) => record[name] === first)) {
        columns.push({ name, same: first });
        continue;
      }
      const { json, wrapped } = await columnText(alike, name, boxes);
      columns.push({ name, bytes: json.length, ...(wrapped && { wrapped }) });
      texts.push(json);
    }
    shapes.push({ count: alike.length, columns });
  }
  return { shapes, bytes: Buffer.concat(texts) };
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

async function columnText(
  records: readonly Fields[],
  name: string,
  boxes: BoxNumbers,
): Promise<{ json: Buffer; wrapped: boolean }> {
  let wrapped = false;
  const written = (record: Fields): unknown => {
    const value = record[name];
    if (isPlain(value) || Array.isArray(value)) return value;
    wrapped = true;
    return value instanceof Box ? { $box: boxes.of(value) } : { $: value };
  };
  const pieces: string[] = [];
  for (let at = 0; at < records.length; at += RECORDS_PER_TURN) {
    const values = records.slice(at, at + RECORDS_PER_TURN).map(written);
    pieces.push(JSON.stringify(values).slice(1, -1));
    await nextTurn();
  }
  return { json: Buffer.from(`[${pieces.join()}]`), wrapped };
}

function unwrapped(value: unknown, boxes: NumberedBoxes): unknown {
  if (isPlain(value) || Array.isArray(value)) return value;
  const { $, $box } = value as { $?: unknown; $box?: number };
  return $box === undefined ? $ : boxes.at($box);
}

/**
 * Records as `writeFamily` wrote them. A column's text is parsed when a member of any record is first asked
 * for, and a record made when it is: most questions about the past look at few.
 */
export class WrittenRecords implements StoredRecords<RecordBase> {
  private readonly shapes: readonly { first: number; alike: AlikeRecords }[];

  constructor({ shapes, bytes }: WrittenFamily, boxes: NumberedBoxes) {
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

  /** Ids in the order of their places. */
  ids(): string[] {
    return this.shapes.flatMap(({ alike }) => alike.column('id') as string[]);
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
    // They are few.
    let nth = this.shapes.length - 1;
    while (this.shapes[nth]!.first > place) nth--;
    return this.shapes[nth]!;
  }
}

/** The records of one shape. */
class AlikeRecords {
  /** A record with the values that all have; those that differ are put in their places. */
  private readonly common: Fields = {};
  private readonly texts = new Map<string, { json: Buffer; wrapped: boolean }>();
  private readonly parsed = new Map<string, readonly unknown[]>();
  private differing: { name: string; values: readonly unknown[] }[] | undefined;
  private readonly viewed: Fields = {};
  private viewed_row = 0;

  constructor(
    { columns }: Shape,
    bytes: Buffer,
    private readonly boxes: NumberedBoxes,
  ) {
    let at = 0;
    for (const column of columns) {
      const { name } = column;
      const is_same = 'same' in column;
      this.common[name] = is_same ? column.same : null;
      if (is_same) {
        this.viewed[name] = column.same;
        continue;
      }
      const json = bytes.subarray(at, (at += column.bytes));
      this.texts.set(name, { json, wrapped: column.wrapped ?? false });
      Object.defineProperty(this.viewed, name, {
        enumerable: true,
        get: () => this.column(name)[this.viewed_row],
      });
    }
  }

  column(name: string): readonly unknown[] {
    const known = this.parsed.get(name);
    if (known) return known;
    const { json, wrapped } = this.texts.get(name)!;
    const values = JSON.parse(json.toString()) as unknown[];
    const column = wrapped ? values.map((value) => unwrapped(value, this.boxes)) : values;
    this.texts.delete(name);
    this.parsed.set(name, column);
    return column;
  }

  record(row: number): Fields {
    this.differing ??= Object.keys(this.common)
      .filter((name) => this.texts.has(name) || this.parsed.has(name))
      .map((name) => ({ name, values: this.column(name) }));
    const record = { ...this.common };
    for (const { name, values } of this.differing) record[name] = values[row];
    return record;
  }

  view(row: number): Fields {
    this.viewed_row = row;
    return this.viewed;
  }
}
