import type { ApiPropertyOptions } from '@nestjs/swagger';
import { getMetadataStorage, type ValidationArguments } from 'class-validator';

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
type NullRule = 'absent' | 'clears' | 'keeps' | 'refused';

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

/** How a value that is neither null nor undefined is read. */
export interface Steps {
  /** Converts the value into the form that is checked; returns a value that it cannot convert unchanged. */
  readonly convert?: Read;
  /** Decorators of class-validator; the first one that fails gives the fault. */
  readonly checks?: readonly PropertyDecorator[];
  /** Reads a value that passed the checks. */
  readonly read?: Read;
}

/** The rule of one field: its OpenAPI schema, the meaning of absence and null, conversion and checks. */
export class Rule {
  /** The value that null reads as, such as -1 (never) for an expiry. */
  readonly null_value: unknown;
  private readonly null_rule: NullRule;

  /** The class of the objects in the value, if their fields are declared. */
  partsOf?: PartsOf;

  readonly checks: readonly PropertyDecorator[];
  private readonly convert: Read | undefined;
  private readonly keep: Read | undefined;
  private own_checks: readonly CompiledCheck[] | undefined;

  constructor(
    readonly schema: Schema,
    steps: Read | Steps,
    readonly options: FieldOptions = {},
    null_value?: unknown,
  ) {
    const { convert, checks = [], read } = typeof steps === 'function' ? { read: steps } : steps;
    this.convert = convert;
    this.checks = checks;
    this.keep = read;
    this.null_rule = options.null ?? 'absent';
    this.null_value = null_value;
  }

  /** Converts and checks a value that is neither null nor undefined; returns the result or a `Fault`. */
  read(value: unknown, checks: readonly CompiledCheck[] = this.ownChecks()): unknown {
    const converted = this.convert ? this.convert(value) : value;
    for (const check of checks) if (!check.passes(converted)) return check.fault(converted);
    return this.keep ? this.keep(converted) : converted;
  }

  private ownChecks(): readonly CompiledCheck[] {
    if (!this.own_checks) {
      class Value {}
      for (const decorate of this.checks) decorate(Value.prototype, 'value');
      this.own_checks = compileChecks(metadataOf(Value));
    }
    return this.own_checks;
  }

  /**
   * Reads a value, which may be null or absent; returns the value for the controller, or a `Fault`.
   * @param checks of the field that has the rule; default: the rule's own checks
   */
  take(raw: unknown, checks?: readonly CompiledCheck[]): unknown {
    let value = raw;
    if (value === null) {
      if (this.null_rule === 'clears') return null;
      if (this.null_rule === 'refused') return fault('must not be null');
      value = this.null_value;
    } else if (value === '' && this.options.empty === 'absent') {
      value = undefined;
    } else if (value !== undefined) {
      return this.read(value, checks);
    }
    if (value !== undefined) return value;
    return this.options.required === true ? fault('is required') : this.options.default;
  }

  private description(): string | undefined {
    const { description, required } = this.options;
    if (required !== 'strict') return description;
    return [description, 'Required with Prefer: handling=strict'].filter(Boolean).join('. ');
  }

  /** The property in the OpenAPI document. */
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

/** A check compiled from class-validator's metadata. */
export interface CompiledCheck {
  passes(value: unknown): boolean;
  fault(value: unknown): Fault;
}

type Metadata = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/** class-validator's metadata of the fields of a class. */
export function metadataOf(type: Class): readonly Metadata[] {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
}

/**
 * Compiles decorators of class-validator into checks. The constraints are looked up once; the library would look
 * them up for every value. A fault has the message of its decorator and the `limit` of the decorator's context.
 */
export function compileChecks(metadata: readonly Metadata[]): CompiledCheck[] {
  return metadata.flatMap(({ constraintCls, constraints, message, context, propertyName }) =>
    getMetadataStorage()
      .getTargetValidatorConstraints(constraintCls)
      .map(({ async, instance }) => {
        if (async || message === undefined)
          throw new Error(
            `a check of ${propertyName} is asynchronous, or has no message of its own`,
          );
        const { limit } = (context ?? {}) as { limit?: number };
        const about = { constraints, property: propertyName } as ValidationArguments;
        return {
          passes: (value: unknown) => instance.validate(value, about) as boolean,
          fault: (value: unknown) =>
            fault(typeof message === 'string' ? message : message({ ...about, value }), limit),
        };
      }),
  );
}

export type Class<T extends object = object> = new () => T;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Adds the problems of a part, with pointers relative to the whole. */
export function collect(problems: Problem[], at: string, part: Fault): void {
  for (const problem of part.problems) problems.push({ ...problem, at: at + problem.at });
}
