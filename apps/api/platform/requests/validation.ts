import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { ApiError, type ErrorDetail } from '../errors.js';
import { flawOf, isDeclared, readObject } from './reader.js';
import { Fault, isObject, type Class, type Problem, type Rule } from './rule.js';
import { id } from './rules.js';
import { isStrict, strictProblems } from './strictness.js';

/**
 * A body that could not be parsed. The validation pipe throws its error when it reads the body, so that routes without
 * one ignore it.
 */
export class UnreadableBody {
  constructor(readonly error: ApiError) {}
}

/** Classes that Nest reports for parameters without a class of their own. */
const UNDECLARED: ReadonlySet<unknown> = new Set([Object, String, Number, Boolean, Array]);

/**
 * Reads bodies, query strings and path parameters into instances of their declared class, or throws 400
 * `request.invalid` with all problems in field order. An absent body is `{}`. Unknown fields are omitted,
 * or refused if the caller prefers strict handling.
 *
 * Parameters without a declared class are returned unchanged; bodies get the checks of every body first.
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'custom') return value;
    if (type === 'body') return readBody(value, metatype as Class | undefined);
    if (!isDeclaredClass(metatype)) return value;
    const read = readObject(metatype, isObject(value) ? value : {});
    if (read instanceof Fault) throw invalidOutside(type, read.problems);
    return read;
  }
}

/**
 * Reads a body, which may be that of a command inside a transaction. With strict handling, unknown fields are
 * problems, too.
 *
 * @throws ApiError 400 `request.invalid`
 */
export function readBody(value: unknown, type?: Class): unknown {
  if (value instanceof UnreadableBody) throw value.error;
  const body = value === undefined ? {} : value;
  if (!isObject(body)) {
    throw ApiError.invalid([{ pointer: '', reason: 'must be a JSON object' }]);
  }
  const flaw = flawOf(body);
  if (flaw) throw ApiError.invalid([toDetail(flaw)]);
  if (!isDeclaredClass(type)) return body;
  const read = readObject(type, body);
  const unknown = isStrict(value) ? strictProblems(type, body) : [];
  const problems = read instanceof Fault ? [...read.problems, ...unknown] : unknown;
  if (problems.length > 0) throw ApiError.invalid(problems.map(toDetail));
  return read;
}

/** Checks one parameter of path or query by a rule. */
export class RulePipe implements PipeTransform {
  constructor(private readonly rule: Rule) {}

  transform(value: unknown, { data, type }: ArgumentMetadata): unknown {
    const read = this.rule.read(value);
    if (!(read instanceof Fault)) return read;
    throw invalidOutside(type === 'query' ? 'query' : 'param', [
      { at: `/${data ?? 'id'}`, reason: read.problems[0]!.reason },
    ]);
  }
}

/** Checks an id in path or query: `@Param('group_id', new IdPipe('GroupID_'))`. */
export class IdPipe extends RulePipe {
  constructor(prefix: string | readonly string[]) {
    super(id(prefix));
  }
}

function isDeclaredClass(type: unknown): type is Class {
  return typeof type === 'function' && !UNDECLARED.has(type) && isDeclared(type as Class);
}

function toDetail({ at, reason, limit }: Problem): ErrorDetail {
  return limit === undefined ? { pointer: at, reason } : { pointer: at, reason, limit };
}

/** Errors of query and path parameters name the parameter in words, because pointers refer to the body. */
function invalidOutside(type: 'query' | 'param', problems: readonly Problem[]): ApiError {
  const where = type === 'query' ? 'query parameter' : 'path parameter';
  const details = problems.map(({ at, reason, limit }) =>
    toDetail({ at: '', reason: `${where} ${at.slice(1)} ${reason}`, ...(limit && { limit }) }),
  );
  return ApiError.of('request.invalid', { message: `The ${details[0]?.reason}.`, details });
}
