/** Member names begin with a letter, so that a price such as `$5.00` is plain text. */
const REFERENCE = /^\$(\d{1,2})(\.[a-z]\w*(?:\.\w+)*)$/i;

/** The value of a reference, and the length of its JSON text. */
interface Found {
  readonly value: unknown;
  readonly bytes: number;
}

/** The results that references of a transaction can refer to, at one moment. */
export class References {
  private readonly found = new Map<string, Found | null>();

  constructor(private readonly results: readonly unknown[]) {}

  /** The value of a reference; null if no result has it. */
  find(reference: string): Found | null {
    let found = this.found.get(reference);
    if (found === undefined) {
      const value = this.look(reference);
      found = value === undefined ? null : { value, bytes: jsonBytes(value) };
      this.found.set(reference, found);
    }
    return found;
  }

  private look(reference: string): unknown {
    const [, index, path] = REFERENCE.exec(reference)!;
    return path!
      .slice(1)
      .split('.')
      .reduce<unknown>(
        (at, name) =>
          typeof at === 'object' && at !== null && Object.hasOwn(at, name)
            ? (at as Record<string, unknown>)[name]
            : undefined,
        this.results[Number(index)],
      );
  }
}

/** A body in which texts like `$0.id` refer to members of earlier results. */
export class ReferringBody {
  /** Length of its JSON text before replacement. */
  readonly bytes: number;
  /** True if it contains no references. */
  readonly is_fixed: boolean;
  /** Its references, with duplicates. */
  private readonly references: readonly string[];

  /** @param fields the fields that may contain references; others are not changed */
  constructor(
    private readonly body: object,
    private readonly fields: ReadonlySet<string>,
  ) {
    this.bytes = jsonBytes(body);
    const references: string[] = [];
    for (const [name, value] of Object.entries(body))
      if (fields.has(name)) collect(value, references);
    this.references = references;
    this.is_fixed = references.length === 0;
  }

  /** The first reference that no result has. */
  unknownAmong(results: References): string | undefined {
    return this.references.find((reference) => !results.find(reference));
  }

  /**
   * Length of the JSON text after replacement, computed without building the text.
   * @param most counting stops above it
   */
  bytesWith(results: References, most: number): number {
    let { bytes } = this;
    for (const reference of this.references) {
      bytes += results.find(reference)!.bytes - reference.length - 2;
      if (bytes > most + this.bytes) break;
    }
    return bytes;
  }

  /** The body with every reference replaced. */
  with(results: References): object {
    if (this.is_fixed) return this.body;
    return Object.fromEntries(
      Object.entries(this.body).map(([name, value]) => [
        name,
        this.fields.has(name) ? replaced(value, results) : value,
      ]),
    );
  }
}

function isReference(value: unknown): value is string {
  return typeof value === 'string' && REFERENCE.test(value);
}

function collect(value: unknown, into: string[]): void {
  if (isReference(value)) into.push(value);
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) collect(member, into);
}

function replaced(value: unknown, results: References): unknown {
  if (isReference(value)) return results.find(value)!.value;
  if (Array.isArray(value)) return value.map((one) => replaced(one, results));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, replaced(one, results)]),
  );
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
