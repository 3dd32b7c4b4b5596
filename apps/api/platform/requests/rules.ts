import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
} from 'class-validator';
import { readObject } from './reader.js';
import {
  collect,
  fault,
  Fault,
  Rule,
  type Class,
  type FieldOptions,
  type PartsOf,
  type Problem,
  type Read,
  type Schema,
} from './rule.js';

export interface TextOptions extends FieldOptions {
  /** Minimum length in UTF-16 code units, after trimming. */
  readonly min?: number;
  /** Maximum length in UTF-16 code units, after trimming. */
  readonly max?: number;
  readonly trim?: boolean;
  readonly pattern?: RegExp;
  /** Describes the pattern; completes the sentence "must be …". Required with `pattern`. */
  readonly pattern_text?: string;
}

/** Options of a class-validator decorator: message and limit of the fault. */
const withMessage = (message: string, limit?: number) => ({ message, context: { limit } });

const isText = IsString(withMessage('must be a string'));
const isList = IsArray(withMessage('must be an array'));
const isAnObject = IsObject(withMessage('must be an object'));

/** Replaces class-validator's `Length`, which counts code points. */
const maxCodeUnits = (max: number): PropertyDecorator =>
  ValidateBy(
    {
      name: 'maxCodeUnits',
      constraints: [max],
      validator: { validate: (value: string) => value.length <= max },
    },
    withMessage(`must be at most ${max} characters`, max),
  );

const minCodeUnits = (min: number): PropertyDecorator =>
  ValidateBy(
    {
      name: 'minCodeUnits',
      constraints: [min],
      validator: { validate: (value: string) => value.length >= min },
    },
    withMessage(min === 1 ? 'must not be empty' : `must be at least ${min} characters`, min),
  );

/** Replaces class-validator's `IsInt`, which accepts integers that a double cannot represent exactly. */
const isSafeInteger = (message: string): PropertyDecorator =>
  ValidateBy(
    { name: 'isSafeInteger', validator: { validate: Number.isSafeInteger } },
    withMessage(message),
  );

const trimmed: Read = (value) => (typeof value === 'string' ? value.trim() : value);

export function text(options: TextOptions = {}): Rule {
  const { min = 0, max, trim = false, pattern } = options;
  const wanted = options.pattern_text ?? `a string that matches ${pattern?.source}`;
  const schema = {
    type: 'string',
    ...(min > 0 && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
    ...(pattern && { pattern: pattern.source }),
  };
  const checks = [
    isText,
    ...(max === undefined ? [] : [maxCodeUnits(max)]),
    ...(min > 0 ? [minCodeUnits(min)] : []),
    ...(pattern ? [Matches(pattern, withMessage(`must be ${wanted}`))] : []),
  ];
  return new Rule(schema, { ...(trim && { convert: trimmed }), checks }, options);
}

export interface UrlOptions extends FieldOptions {
  readonly max?: number;
  readonly http_only?: boolean;
  readonly no_user?: boolean;
  readonly not_empty?: boolean;
}

const SCRIPT_PROTOCOLS = new Set(['javascript:', 'vbscript:', 'file:']);

export function url(options: UrlOptions = {}): Rule {
  const { max = 2048, http_only = false, no_user = false, not_empty = false } = options;
  const wanted = `must be an absolute ${http_only ? 'http or https ' : ''}URL`;
  const malformed = fault(not_empty ? wanted : `${wanted} or empty`);
  const read = (value: string): unknown => {
    if (value === '') return not_empty ? malformed : '';
    if (value.length > max) return fault(`must be at most ${max} characters`, max);
    // The URL parser ignores control characters and surrounding blanks; other parsers may keep them.
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
  return new Rule(
    { type: 'string', format: 'uri', maxLength: max },
    { checks: [isText], read: read as Read },
    options,
  );
}

export interface IdOptions extends FieldOptions {
  /** Words accepted in place of an id, such as `PUBLIC`. */
  readonly literals?: readonly string[];
}

/** One of the prefixes, followed by 1–128 characters of `[A-Za-z0-9_-]`. */
export function id(prefix: string | readonly string[], options: IdOptions = {}): Rule {
  const prefixes = typeof prefix === 'string' ? [prefix] : prefix;
  const literals = options.literals ?? [];
  const own = prefixes.length > 0 ? [`${eitherOf(prefixes)}[A-Za-z0-9_-]{1,128}`] : [];
  const pattern = new RegExp(`^${eitherOf([...literals, ...own])}$`);
  const begins = `beginning with ${prefixes.join(' or ')}`;
  const choices = [...(own.length > 0 ? [`an id ${begins}`] : []), ...literals];
  const checks = [Matches(pattern, withMessage(`must be ${choices.join(' or ')}`))];
  return new Rule({ type: 'string', pattern: pattern.source }, { checks }, options);
}

/** A part of a regular expression that matches one of the parts. */
function eitherOf(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : `(?:${parts.join('|')})`;
}

export interface TimestampOptions extends FieldOptions {
  /** -1 = never; 0 and null read as -1; other negative numbers are 400. */
  readonly expiry?: boolean;
  readonly min?: number;
  /** Describes the number; completes the sentence "must be …". */
  readonly what?: string;
}

/** Maximum length of a time as text, including leading zeros. */
const LONGEST_TIME = 8192;

/** Milliseconds since epoch, as an integer or as a string of digits, which is converted. */
export function timestamp(options: TimestampOptions = {}): Rule {
  const { expiry = false, min = Number.MIN_SAFE_INTEGER } = options;
  const { what = 'an integer of milliseconds' } = options;
  const convert: Read = (value) => {
    const is_digits =
      typeof value === 'string' && value.length <= LONGEST_TIME && /^-?\d+$/.test(value);
    const time = is_digits ? Number(value) : value;
    // JSON text cannot express -0.
    return time === 0 ? (expiry ? -1 : 0) : time;
  };
  const checks = [
    isSafeInteger(`must be ${what}, as a number or a string of digits`),
    expiry
      ? Min(-1, withMessage('must be -1 (never) or a time', -1))
      : Min(min, withMessage(`must be at least ${min}`, min)),
  ];
  const bounds = expiry ? { minimum: -1 } : options.min === undefined ? {} : { minimum: min };
  const schema = {
    oneOf: [
      { type: 'integer', format: 'int64', ...bounds },
      { type: 'string', pattern: '^-?\\d+$' },
    ],
  };
  const null_value = expiry && options.null !== 'keeps' ? -1 : undefined;
  return new Rule(schema, { convert, checks }, options, null_value);
}

export interface IntegerOptions extends FieldOptions {
  readonly min?: number;
  readonly max?: number;
}

/** JSON text cannot express -0. */
const unsigned: Read = (value) => (value === 0 ? 0 : value);

export function integer(options: IntegerOptions = {}): Rule {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options;
  const checks = [
    isSafeInteger('must be an integer'),
    Min(min, withMessage(`must be at least ${min}`, min)),
    Max(max, withMessage(`must be at most ${max}`, max)),
  ];
  return new Rule(
    { type: 'integer', minimum: min, maximum: max },
    { convert: unsigned, checks },
    options,
  );
}

/** true or false; 0, 1 and text are refused. */
export function flag(options: FieldOptions = {}): Rule {
  const checks = [IsBoolean(withMessage('must be true or false'))];
  return new Rule({ type: 'boolean' }, { checks }, options);
}

export interface OneOfOptions extends FieldOptions {
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
  const checks = [IsIn([...values], withMessage(`must be one of ${values.join(', ')}`))];
  const convert: Read = (value) => word(value) ?? value;
  return new Rule({ type: 'string', enum: [...values] }, { convert, checks }, options);
}

/** A non-empty array of permission types, in order of first occurrence; duplicates are removed. */
export function permissionTypes(values: readonly string[], options: OneOfOptions = {}): Rule {
  const word = words(values, options);
  const unknown = `must be one of ${values.join(', ')}`;
  const checks = [isList, ArrayMinSize(1, withMessage('must not be empty', 1))];
  const read = (value: readonly unknown[]): unknown => {
    const kept = new Set<string>();
    for (let index = 0; index < value.length; index += 1) {
      const known = word(value[index]);
      if (known === undefined) return new Fault([{ at: `/${index}`, reason: unknown }]);
      kept.add(known);
    }
    return [...kept];
  };
  const items = { type: 'string', enum: [...values] };
  const schema = { type: 'array', items, minItems: 1, maxItems: values.length };
  return new Rule(schema, { checks, read: read as Read }, options);
}

export interface JsonObjectOptions extends FieldOptions {
  /** Maximum length of the JSON text in UTF-16 code units. */
  readonly max?: number;
}

export function jsonObject(options: JsonObjectOptions = {}): Rule {
  const { max } = options;
  const read: Read = (value) =>
    max !== undefined && JSON.stringify(value).length > max
      ? fault(`must be at most ${max} characters of JSON`, max)
      : value;
  return new Rule(
    { type: 'object', additionalProperties: true },
    { checks: [isAnObject], read },
    options,
  );
}

/** An object of a class. Pointers to its problems begin with the field. */
export function nested(type: () => Class, options: FieldOptions = {}): Rule {
  const read: Read = (value) => readObject(type(), value as Record<string, unknown>);
  return withParts(new Rule(lazyType(type), { checks: [isAnObject], read }, options), type);
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
  const { min = 0, max } = options;
  const checks = [
    isList,
    ...(max === undefined
      ? []
      : [ArrayMaxSize(max, withMessage(`must contain at most ${max} items`, max))]),
    ...(min === 0
      ? []
      : [
          ArrayMinSize(
            min,
            withMessage(
              min === 1 ? 'must not be empty' : `must contain at least ${min} items`,
              min,
            ),
          ),
        ]),
  ];
  const read = (value: readonly unknown[]): unknown => {
    const kept: unknown[] = [];
    const problems: Problem[] = [];
    for (let index = 0; index < value.length; index += 1) {
      const result = value[index] === null ? fault('must not be null') : rule.read(value[index]);
      if (result instanceof Fault) collect(problems, `/${index}`, result);
      else kept.push(result);
    }
    if (problems.length > 0) return new Fault(problems);
    return options.distinct ? [...new Set(kept)] : kept;
  };
  const bounds = {
    ...(min > 0 && { minItems: min }),
    ...(max !== undefined && { maxItems: max }),
  };
  const schema =
    element instanceof Rule
      ? { type: 'array', items: rule.schema, ...bounds }
      : { ...lazyType(element), isArray: true, ...bounds };
  const list = new Rule(schema, { checks, read: read as Read }, options);
  return rule.partsOf ? withParts(list, rule.partsOf) : list;
}
