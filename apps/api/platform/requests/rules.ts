import { readObject } from './reader.js';
import {
  collect,
  fault,
  Fault,
  isObject,
  Rule,
  type Class,
  type FieldOptions,
  type PartsOf,
  type Problem,
  type Read,
  type Schema,
} from './rule.js';

export interface TextOptions extends FieldOptions {
  /** Fewest UTF-16 code units, counted after trimming. */
  readonly min?: number;
  /** Most UTF-16 code units, counted after trimming. */
  readonly max?: number;
  readonly trim?: boolean;
  readonly pattern?: RegExp;
  /** Describes the pattern, as the end of "must be …"; required with `pattern`. */
  readonly pattern_text?: string;
}

function lengthFault(length: number, min: number, max: number): Fault | undefined {
  if (length > max) return fault(`must be at most ${max} characters`, max);
  if (length >= min) return undefined;
  return min === 1
    ? fault('must not be empty', 1)
    : fault(`must be at least ${min} characters`, min);
}

export function text(options: TextOptions = {}): Rule {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, trim = false, pattern } = options;
  const pattern_fault = fault(
    `must be ${options.pattern_text ?? `a string that matches ${pattern?.source}`}`,
  );
  const schema = {
    type: 'string',
    ...(min > 0 && { minLength: min }),
    ...(options.max !== undefined && { maxLength: max }),
    ...(pattern && { pattern: pattern.source }),
  };
  const read: Read = (value) => {
    if (typeof value !== 'string') return fault('must be a string');
    const kept = trim ? value.trim() : value;
    if (kept.length > max || kept.length < min) return lengthFault(kept.length, min, max);
    return pattern && !pattern.test(kept) ? pattern_fault : kept;
  };
  return new Rule(schema, read, options);
}

export interface UrlOptions extends FieldOptions {
  readonly max?: number;
  /** Only http and https. */
  readonly http_only?: boolean;
  /** No user name or password in it. */
  readonly no_user?: boolean;
  /** The empty text is not allowed. */
  readonly not_empty?: boolean;
}

const SCRIPT_PROTOCOLS = new Set(['javascript:', 'vbscript:', 'file:']);

export function url(options: UrlOptions = {}): Rule {
  const { max = 2048, http_only = false, no_user = false, not_empty = false } = options;
  const wanted = `must be an absolute ${http_only ? 'http or https ' : ''}URL`;
  const malformed = fault(not_empty ? wanted : `${wanted} or empty`);
  const read: Read = (value) => {
    if (typeof value !== 'string') return fault('must be a string');
    if (value === '') return not_empty ? malformed : '';
    if (value.length > max) return lengthFault(value.length, 0, max);
    // The URL parser drops control characters and surrounding blanks; other parsers may not.
    if (/[\s\p{Cc}]/u.test(value) || !URL.canParse(value)) return malformed;
    const parsed = new URL(value);
    if (SCRIPT_PROTOCOLS.has(parsed.protocol)) {
      return fault(`must not be a ${parsed.protocol} URL`);
    }
    if (http_only && parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return malformed;
    if (no_user && (parsed.username || parsed.password))
      return fault('must not contain a user name or password');
    return value;
  };
  return new Rule({ type: 'string', maxLength: max }, read, options);
}

export interface IdOptions extends FieldOptions {
  /** Words allowed in place of an id, such as `PUBLIC`. */
  readonly literals?: readonly string[];
}

/** A prefix, or one of several, and 1–128 characters of `[A-Za-z0-9_-]`. */
export function id(prefix: string | readonly string[], options: IdOptions = {}): Rule {
  const prefixes = typeof prefix === 'string' ? [prefix] : prefix;
  const literals = options.literals ?? [];
  const own = prefixes.length > 0 ? [`(?:${prefixes.join('|')})[A-Za-z0-9_-]{1,128}`] : [];
  const pattern = new RegExp(`^(?:${[...literals, ...own].join('|')})$`);
  const begins = `beginning with ${prefixes.join(' or ')}`;
  const choices = [...(own.length > 0 ? [`an id ${begins}`] : []), ...literals];
  const malformed = fault(`must be ${choices.join(' or ')}`);
  const read: Read = (value) =>
    typeof value === 'string' && pattern.test(value) ? value : malformed;
  return new Rule({ type: 'string', pattern: pattern.source }, read, options);
}

export interface TimestampOptions extends FieldOptions {
  /** -1 = never: 0 and null read as -1, other negatives are 400. */
  readonly expiry?: boolean;
  readonly min?: number;
  /** Describes the number in the error message. */
  readonly what?: string;
}

/** Most characters of a time written as text, leading zeros included. */
const LONGEST_TIME = 8192;

/** Milliseconds since epoch, as an integer or as a string of digits, which is converted. */
export function timestamp(options: TimestampOptions = {}): Rule {
  const { expiry = false, min = Number.MIN_SAFE_INTEGER } = options;
  const { what = 'an integer of milliseconds' } = options;
  const malformed = fault(`must be ${what}, as a number or a string of digits`);
  const read: Read = (value) => {
    let time: number;
    if (typeof value === 'number') time = value;
    else if (typeof value === 'string' && value.length <= LONGEST_TIME && /^-?\d+$/.test(value))
      time = Number(value);
    else return malformed;
    if (!Number.isSafeInteger(time)) return malformed;
    if (expiry) {
      if (time < -1) return fault('must be -1 (never) or a time', -1);
      return time === 0 ? -1 : time;
    }
    if (time < min) return fault(`must be at least ${min}`, min);
    // JSON text cannot express -0.
    return time === 0 ? 0 : time;
  };
  const bounds = expiry ? { minimum: -1 } : options.min === undefined ? {} : { minimum: min };
  const schema = {
    oneOf: [
      { type: 'integer', format: 'int64', ...bounds },
      { type: 'string', pattern: '^-?\\d+$' },
    ],
  };
  const null_value = expiry && options.null !== 'keeps' ? -1 : undefined;
  return new Rule(schema, read, options, null_value);
}

export interface IntegerOptions extends FieldOptions {
  readonly min?: number;
  readonly max?: number;
}

export function integer(options: IntegerOptions = {}): Rule {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options;
  const read: Read = (value) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
      return fault('must be an integer');
    }
    if (value < min) return fault(`must be at least ${min}`, min);
    if (value > max) return fault(`must be at most ${max}`, max);
    return value === 0 ? 0 : value;
  };
  return new Rule({ type: 'integer', minimum: min, maximum: max }, read, options);
}

/** true or false, never 0, 1 or text. */
export function flag(options: FieldOptions = {}): Rule {
  const malformed = fault('must be true or false');
  const read: Read = (value) => (typeof value === 'boolean' ? value : malformed);
  return new Rule({ type: 'boolean' }, read, options);
}

export interface OneOfOptions extends FieldOptions {
  /** Values by alternative spelling. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly case_insensitive?: boolean;
}

function words(
  values: readonly string[],
  options: OneOfOptions,
): (value: unknown) => string | undefined {
  const fold = (word: string): string => (options.case_insensitive ? word.toLowerCase() : word);
  const known = new Map<string, string>();
  for (const [alias, value] of Object.entries(options.aliases ?? {})) known.set(fold(alias), value);
  for (const value of values) known.set(fold(value), value);
  return (value) => (typeof value === 'string' ? known.get(fold(value)) : undefined);
}

export function oneOf(values: readonly string[], options: OneOfOptions = {}): Rule {
  const word = words(values, options);
  const unknown = fault(`must be one of ${values.join(', ')}`);
  const read: Read = (value) => word(value) ?? unknown;
  return new Rule({ type: 'string', enum: [...values] }, read, options);
}

/** A non-empty array of known words, in order of first occurrence; duplicates are removed. */
export function permissionTypes(values: readonly string[], options: OneOfOptions = {}): Rule {
  const word = words(values, options);
  const unknown = `must be one of ${values.join(', ')}`;
  const read: Read = (value) => {
    if (!Array.isArray(value)) return fault('must be an array');
    if (value.length === 0) return fault('must not be empty', 1);
    const kept = new Set<string>();
    for (let index = 0; index < value.length; index += 1) {
      const known = word(value[index]);
      if (known === undefined) return new Fault([{ at: `/${index}`, reason: unknown }]);
      kept.add(known);
    }
    return [...kept];
  };
  const items = { type: 'string', enum: [...values] };
  return new Rule({ type: 'array', items, minItems: 1, maxItems: values.length }, read, options);
}

export interface JsonObjectOptions extends FieldOptions {
  /** Most UTF-16 code units of its JSON text. */
  readonly max?: number;
}

export function jsonObject(options: JsonObjectOptions = {}): Rule {
  const { max } = options;
  const read: Read = (value) => {
    if (!isObject(value)) return fault('must be an object');
    if (max !== undefined && JSON.stringify(value).length > max) {
      return fault(`must be at most ${max} characters of JSON`, max);
    }
    return value;
  };
  return new Rule({ type: 'object', additionalProperties: true }, read, options);
}

/** An object of a class; pointers of its problems begin with the field. */
export function nested(type: () => Class, options: FieldOptions = {}): Rule {
  const read: Read = (value) =>
    isObject(value) ? readObject(type(), value) : fault('must be an object');
  return withParts(new Rule(lazyType(type), read, options), type);
}

/** Sets the class of the objects in a field; strict handling checks their fields. */
export function withParts(rule: Rule, parts: PartsOf): Rule {
  rule.partsOf = parts;
  return rule;
}

/** @nestjs/swagger recognizes a lazy type by the function's name, which must be `type`. */
function lazyType(of: () => Class): Schema {
  return { type: () => of() };
}

export interface ListOptions extends FieldOptions {
  readonly min?: number;
  readonly max?: number;
  /** Removes duplicates; for arrays of strings. */
  readonly distinct?: boolean;
}

/** An array whose elements are read by a rule or into objects of a class. */
export function listOf(element: Rule | (() => Class), options: ListOptions = {}): Rule {
  const rule = element instanceof Rule ? element : nested(element, { required: true });
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options;
  const read: Read = (value) => {
    if (!Array.isArray(value)) return fault('must be an array');
    if (value.length > max) return fault(`must contain at most ${max} items`, max);
    if (value.length < min)
      return fault(min === 1 ? 'must not be empty' : `must contain at least ${min} items`, min);
    const kept: unknown[] = [];
    const problems: Problem[] = [];
    for (let index = 0; index < value.length; index += 1) {
      const taken = value[index] === null ? fault('must not be null') : rule.read(value[index]);
      if (taken instanceof Fault) collect(problems, `/${index}`, taken);
      else kept.push(taken);
    }
    if (problems.length > 0) return new Fault(problems);
    return options.distinct ? [...new Set(kept)] : kept;
  };
  const bounds = {
    ...(min > 0 && { minItems: min }),
    ...(options.max !== undefined && { maxItems: max }),
  };
  const schema =
    element instanceof Rule
      ? { type: 'array', items: rule.schema, ...bounds }
      : { ...lazyType(element), isArray: true, ...bounds };
  const list = new Rule(schema, read, options);
  return rule.partsOf ? withParts(list, rule.partsOf) : list;
}
