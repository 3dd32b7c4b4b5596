import type { ApiPropertyOptions } from '@nestjs/swagger';

/** A reason why a value is invalid; `at` is a JSON pointer within the value, '' for the value itself. */
export interface Problem {
  readonly at: string;
  readonly reason: string;
  readonly limit?: number;
}

/** The result of reading an invalid value. */
export class Fault {
  constructor(readonly problems: readonly Problem[]) {}
}

export function fault(reason: string, limit?: number): Fault {
  return new Fault([limit === undefined ? { at: '', reason } : { at: '', reason, limit }]);
}

/**
 * Meaning of null for a field:
 * `absent` (create) and `keeps` (update): the field reads as undefined;
 * `clears`: the controller receives null; `refused`: 400.
 */
export type NullRule = 'absent' | 'clears' | 'keeps' | 'refused';

export interface FieldOptions {
  /**
   * True: absence is 400, and so is null unless it clears. `strict`: absence is 400 only with
   * `Prefer: handling=strict`; otherwise an absent field is not changed.
   */
  readonly required?: boolean | 'strict';
  /** Default `absent`. */
  readonly null?: NullRule;
  /** Value of an absent field. */
  readonly default?: unknown;
  /** Treats an empty string as absent. */
  readonly empty?: 'absent';
  readonly description?: string;
  readonly example?: unknown;
  readonly deprecated?: boolean;
}

export type Schema = Record<string, unknown>;

/** Returns the class of the objects in a field; `beside` is the object that contains the field. */
export type PartsOf = (beside: Readonly<Record<string, unknown>>) => Class | undefined;

/** Reads a value that is neither null nor undefined: returns the value to keep, or a `Fault`. */
export type Read = (value: unknown) => unknown;

/**
 * The rule of one field. Reading is idempotent, because class-transformer (conversion) and
 * class-validator (check) both apply it.
 */
export class Rule {
  /** The value that null reads as, such as -1 (never) for an expiry. */
  readonly null_value: unknown;
  private readonly null_rule: NullRule;

  /** The class of the objects in the value, if their fields are declared. */
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

  /** The value that the controller receives, or a `Fault`. */
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

/** Adds the problems of a part, with pointers relative to the whole. */
export function collect(problems: Problem[], at: string, part: Fault): void {
  for (const problem of part.problems) problems.push({ ...problem, at: at + problem.at });
}
