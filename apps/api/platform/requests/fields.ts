import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, ValidateBy, type ValidationArguments } from 'class-validator';
import { Fault, Rule, type FieldOptions } from './rule.js';
import * as rules from './rules.js';

/**
 * Declares a field of a body: its OpenAPI schema, and its checks as decorators of class-validator. The last decorator
 * holds the rule, from which `readObject` gets conversion and default.
 *
 * @example
 *   class CreateGroupBody {
 *     @Id('GroupID_') id?: string;
 *     @Text({ min: 1, max: 256, required: true }) name!: string;
 *     @Url({ max: 2048 }) avatar?: string;
 *   }
 */
export function Field(rule: Rule): PropertyDecorator {
  return applyDecorators(
    ApiProperty(rule.property()),
    ...(rule.options.required === true ? [] : [IsOptional()]),
    ...rule.checks,
    ValidateBy({
      name: 'rule',
      constraints: [rule],
      validator: {
        validate: (value) => !(rule.take(value) instanceof Fault),
        defaultMessage: (of?: ValidationArguments) => {
          const result = rule.take(of?.value);
          return result instanceof Fault ? result.problems[0]!.reason : '';
        },
      },
    }),
  );
}

/** The decorator of a kind of rule: takes the same parameters. */
const fieldOf =
  <Parameters extends unknown[]>(ruleOf: (...parameters: Parameters) => Rule) =>
  (...parameters: Parameters): PropertyDecorator =>
    Field(ruleOf(...parameters));

/** A string; lengths count UTF-16 code units. */
export const Text = fieldOf(rules.text);

/** An absolute URL, or empty; `javascript:`, `vbscript:` and `file:` are refused. */
export const Url = fieldOf(rules.url);

/** `@Id('GroupID_')`, `@Id(['UserID_', 'GroupID_'], { literals: ['PUBLIC'] })`. */
export const Id = fieldOf(rules.id);

/** Milliseconds since epoch; a string of digits is converted. With `expiry`, 0 and null read as -1 (never). */
export const Timestamp = fieldOf(rules.timestamp);

/** A safe integer within bounds. */
export const Integer = fieldOf(rules.integer);

/** true or false. */
export const Flag = fieldOf(rules.flag);

export const OneOf = fieldOf(rules.oneOf);

/** A non-empty array of permission types; duplicates are removed. */
export const PermissionTypes = fieldOf(rules.permissionTypes);

/** An email address `x@y.z` without blanks, or empty; at most 256 characters. */
export const Email = (options?: FieldOptions): PropertyDecorator =>
  Text({
    max: 256,
    pattern: /^$|^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/,
    pattern_text: 'an email address or empty',
    ...options,
  });

/** `0x` and 40 hex characters, or empty. */
export const EvmAddress = (options?: FieldOptions): PropertyDecorator =>
  Text({
    pattern: /^$|^0x[0-9a-fA-F]{40}$/,
    pattern_text: '0x and 40 hex characters, or empty',
    ...options,
  });

export const PageSize = (default_size = 50): PropertyDecorator =>
  Integer({ min: 1, max: 1000, default: default_size });

/** Any JSON object; `max` limits the length of its JSON text. */
export const JsonObject = fieldOf(rules.jsonObject);

/** An object of its own class: `@Nested(() => Admin) admin?: Admin`. */
export const Nested = fieldOf(rules.nested);

/** `@ListOf(() => Member, { max: 100 })` or `@ListOf(rules.id('UserID_'), { max: 100 })`. */
export const ListOf = fieldOf(rules.listOf);

const Cursor = (description: string): PropertyDecorator =>
  Text({ max: 256, empty: 'absent', description });

/** Body of paginated reads. Subclasses may declare other defaults. */
export class PageBody {
  @PageSize()
  page_size!: number;

  @OneOf(['ASC', 'DESC'], { default: 'ASC' })
  direction!: 'ASC' | 'DESC';

  @Cursor('Alias of cursor_down')
  cursor?: string;

  @Cursor('Returns the page before this cursor')
  cursor_up?: string;

  @Cursor('Returns the page after this cursor; takes precedence over cursor_up')
  cursor_down?: string;
}

export class ListBody extends PageBody {
  @Text({
    max: 256,
    default: '',
    description: 'Case-insensitive substring; only matching records are returned',
  })
  filters!: string;
}
