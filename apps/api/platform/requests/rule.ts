import type { ApiPropertyOptions } from '@nestjs/swagger';

/** What is wrong with a value; `at` is a JSON pointer below the value, '' for the value itself. */
export interface Problem {
  readonly at: string;
  readonly reason: string;
  readonly limit?: number;
}

/** What a reading answers instead of a value when the value is not allowed. */
export class Fault {
  constructor(readonly problems: readonly Problem[]) {}
}

export function fault(reason: string, limit?: number): Fault {
  return new Fault([limit === undefined ? { at: '', reason } : { at: '', reason, limit }]);
}

/**
 * What null means for a field:
 * `absent` (create) and `keeps` (update): as if the field were not there, undefined;
 * `clears`: null reaches the controller; `refused`: 400.
 */
export type NullRule = 'absent' | 'clears' | 'keeps' | 'refused';

export interface FieldOptions {
  /**
   * Absence, and null unless it clears, is 400. `strict`: absence is 400 only for callers who prefer
   * strict handling; to others it means that the field stays as it is.
   */
  readonly required?: boolean | 'strict';
  /** Default `absent`. */
  readonly null?: NullRule;
  /** What an absent field reads as. */
  readonly default?: unknown;
  /** The empty text is the same as absence. */
  readonly empty?: 'absent';
  readonly description?: string;
  readonly example?: unknown;
  readonly deprecated?: boolean;
}

export type Schema = Record<string, unknown>;

/** The declared class of an object in a field; `beside` is the object that the field is in. */
export type PartsOf = (beside: Readonly<Record<string, unknown>>) => Class | undefined;

/** How one value is read: given one neither null nor undefined, the value to keep or a `Fault`. */
export type Read = (value: unknown) => unknown;

/**
 * The rule of one field. Reading is idempotent: what it answers reads as itself, so the rule holds
 * the same in class-transformer and class-validator, where conversion and check are two steps.
 */
export class Rule {
  /** Stands in for null where null has a value of its own (an expiry: never). */
  readonly null_value: unknown;
  private readonly null_rule: NullRule;

  /** The class of the objects that a value is or holds, where their fields are declared. */
  partsOf?: PartsOf;

  constructor(
    readonly schema: Schema,
    readonly read: Read,
    readonly options: FieldOptions = {},
    null_value?: unknown,
  ) {
    this.null_rule = options.null ?? 'absent';
    this.null_value = null_value;
  }

  /** The value a controller sees, or a `Fault`. */
  take(raw: unknown): unknown {
    let value = raw;
    if (value === null) {
      if (this.null_rule === 'clears') return null;
      if (this.null_rule === 'refused') return fault('must not be null');
      value = this.null_value;
    } else if (value === '' && this.options.empty === 'absent') {
      value = undefined;
    } else if (value !== undefined) {
      return this.read(value);
    }
    if (value !== undefined) return value;
    return this.options.required === true ? fault('is required') : this.options.default;
  }

  private description(): string | undefined {
    const { description, required } = this.options;
    if (required !== 'strict') return description;
    return [description, 'Required with Prefer: handling=strict'].filter(Boolean).join('. ');
  }

  /** For the OpenAPI document. */
  property(): ApiPropertyOptions {
    const { example, deprecated } = this.options;
    const required = this.options.required === true;
    const description = this.description();
    const nullable = this.null_rule === 'clears' || (!required && this.null_rule !== 'refused');
    return {
      ...this.schema,
      required,
      ...(nullable && { nullable }),
      ...(this.options.default !== undefined && { default: this.options.default }),
      ...(description && { description }),
      ...(example !== undefined && { example }),
      ...(deprecated && { deprecated }),
    } as ApiPropertyOptions;
  }
}

export type Class<T extends object = object> = new () => T;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Adds the problems of a part, named from the whole. */
export function collect(problems: Problem[], at: string, part: Fault): void {
  for (const problem of part.problems) problems.push({ ...problem, at: at + problem.at });
}
