import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { ValidateBy, type ValidationArguments } from 'class-validator';

/** A default value as text, or one derived from other settings. */
export type Default = string | DerivedDefault;

interface DerivedDefault {
  /** The rule as text, for tables. */
  readonly rule: string;
  /** @param settings of the same class, of which only those declared earlier are set; undefined if invalid */
  readonly from: (settings: Readonly<Record<string, unknown>>) => string;
}

/** Definition of one environment variable. `parse` returns undefined for values that are not allowed. */
export interface SettingDefinition {
  /** Prototype of the class that declares it. */
  readonly declared_by: object;
  readonly name: string;
  readonly property: string;
  /** Used if the variable is absent. */
  readonly default: Default;
  readonly meaning: string;
  /** Allowed values, to complete the sentence "… must be". */
  readonly allowed: string;
  /** Its value never appears in a message, a log or a table. */
  readonly secret: boolean;
  /** An empty variable means the empty text, not the default. */
  readonly may_be_empty: boolean;
  readonly parse: (text: string) => unknown;
}

type Kind = Pick<SettingDefinition, 'allowed' | 'parse'> &
  Partial<Pick<SettingDefinition, 'secret' | 'may_be_empty'>>;

const definitions: SettingDefinition[] = [];

/** All definitions in the order of declaration. */
export const SETTING_DEFINITIONS: readonly SettingDefinition[] = definitions;

/** The text from the environment, kept beside the value so that a message can quote it. */
export const RAW = Symbol('raw');

/**
 * Declares one variable: its place in the table, its parser and its class-validator rule. Its name is that of the
 * property in upper case.
 */
export function Setting(default_value: Default, kind: Kind, meaning: string): PropertyDecorator {
  return (target, key) => {
    const property = String(key);
    const name = property.toUpperCase();
    const secret = kind.secret ?? false;
    definitions.push({
      declared_by: target,
      name,
      property,
      default: default_value,
      meaning,
      allowed: kind.allowed,
      secret,
      may_be_empty: kind.may_be_empty ?? false,
      parse: kind.parse,
    });
    const message = ({ object }: ValidationArguments): string => {
      const raw = (object as { [RAW]: Record<string, string> })[RAW][property];
      const quoted = secret ? name : `${name} is ${JSON.stringify(raw)} but`;
      return `${quoted} must be ${kind.allowed}.`;
    };
    ValidateBy(
      { name: 'setting', validator: { validate: (value) => value !== undefined } },
      { message },
    )(target, property);
  };
}

export function whole(min: number, max: number): Kind {
  return {
    allowed: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

/** One of some words, ignoring case; the result is spelled as given here. */
export function oneOf(...words: string[]): Kind {
  return {
    allowed: words.length === 1 ? `"${words[0]}"` : `one of ${words.join(', ')}`,
    parse: (text) => words.find((word) => word.toLowerCase() === text.toLowerCase()),
  };
}

/** A boolean variable with its own two words. */
export function flag(yes: string, no: string): Kind {
  const word = oneOf(yes, no);
  return {
    allowed: word.allowed,
    parse: (text) => {
      const found = word.parse(text);
      return found === undefined ? undefined : found === yes;
    },
  };
}

export function matching(max: number, allowed: string, pattern: RegExp): Kind {
  return {
    allowed,
    parse: (value) => (value.length <= max && pattern.test(value) ? value : undefined),
  };
}

/** The same for a text that may contain a password. */
export function secretMatching(max: number, allowed: string, pattern: RegExp): Kind {
  return { ...matching(max, allowed, pattern), secret: true, may_be_empty: true };
}

/** A comma-separated list of distinct words of a closed set. */
export function listOf(words: readonly string[]): Kind {
  return {
    allowed: `a comma-separated list of ${words.join(', ')}, or empty`,
    may_be_empty: true,
    parse: (list) => {
      const items = splitList(list).map((item) => item.toUpperCase());
      return items.every((item) => words.includes(item)) ? [...new Set(items)] : undefined;
    },
  };
}

export const ADDRESSES: Kind = {
  allowed: 'a comma-separated list of IP addresses and CIDR ranges, or empty',
  may_be_empty: true,
  parse: (list) => {
    const items = splitList(list);
    return items.every(isAddressOrRange) ? items : undefined;
  },
};

/** A base URL; stored without trailing slash. Empty = derived. */
export const BASE_URL: Kind = {
  allowed: 'an absolute http or https URL without user, query or fragment, or empty',
  may_be_empty: true,
  parse: (value) => {
    if (value === '') return '';
    if (!/^https?:\/\//i.test(value) || value.length > 2048 || !URL.canParse(value)) return;
    const url = new URL(value);
    if (url.username || url.password || url.search || url.hash) return;
    return url.href.replace(/\/+$/, '');
  },
};

/** 32 bytes, or null when empty. */
export const KEY: Kind = {
  allowed: '32 bytes as 64 hex characters or as base64, or empty',
  secret: true,
  may_be_empty: true,
  parse: (value) => {
    if (value === '') return null;
    if (/^[0-9a-f]{64}$/i.test(value)) return Buffer.from(value, 'hex');
    if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(value)) return;
    return Buffer.from(value, 'base64');
  },
};

/** Keys of callers; only the SHA-256 (hex) of each is kept. */
export const KEYS: Kind = {
  allowed: 'a comma-separated list of keys of 32 to 4096 visible ASCII characters each, or empty',
  secret: true,
  may_be_empty: true,
  parse: (list) => {
    const keys = splitList(list);
    if (!keys.every((key) => /^[!-~]{32,4096}$/.test(key))) return;
    return keys.map((key) => createHash('sha256').update(key).digest('hex'));
  },
};

function splitList(list: string): string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function isAddressOrRange(item: string): boolean {
  const [address = '', bits, ...rest] = item.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
