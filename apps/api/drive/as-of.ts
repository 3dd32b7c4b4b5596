import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { PastRequest } from '../../../libs/application/read-record.js';
import type { PointRequest } from '../../../libs/engine/past/points.js';
import { Fault } from '../platform/requests/rule.js';
import { id } from '../platform/requests/rules.js';
import { ApiError } from '../platform/errors.js';
import { ApiRead } from '../platform/openapi/openapi-decorators.js';
import { as_of } from '../replay/points.js';
import { guardError } from '../refusals.js';

/** Metadata of handlers that answer for points of the past. */
export const AS_OF = 'drive:as-of';

const USER = id('UserID_');

/** The operation answers for any point of the past: query parameters `as_of` and `as_user`. */
export function AsOf(): MethodDecorator {
  return applyDecorators(
    SetMetadata(AS_OF, true),
    ApiRead(),
    ApiQuery({
      name: 'as_of',
      required: false,
      schema: as_of.schema,
      description:
        'Answers as of a point of the past (`r123`, milliseconds, an RFC 3339 time or `@name`), for ' +
        'holders of VIEW on TABLE_AUDIT. Secrets are masked and presence reads 0',
      example: 'r123',
    }),
    ApiQuery({
      name: 'as_user',
      required: false,
      schema: USER.schema,
      description:
        'With `as_of`: answers as this user would have been answered then, errors included',
    }),
  );
}

/** True for a request that asks about the past, rightly or not. */
export function asksForPast(request: FastifyRequest): boolean {
  const query = request.query as Record<string, unknown>;
  return query.as_of !== undefined || query.as_user !== undefined;
}

/** The point a request asks about. @throws ApiError 400 where the operation has no past or the query is wrong */
export function pastOf(request: FastifyRequest, has_past: boolean): PastRequest {
  if (!has_past) throw guardError('request.no-past');
  const query = request.query as Record<string, unknown>;
  const point = as_of.take(query.as_of);
  const as_user = USER.take(query.as_user);
  for (const [name, value] of Object.entries({ as_of: point, as_user }))
    if (value instanceof Fault) throw invalid(name, value.problems[0]!.reason);
  if (point === undefined)
    throw query.as_of === undefined
      ? invalid('as_user', 'needs as_of beside it')
      : invalid('as_of', 'must not be empty');
  return { point: point as PointRequest, as_user: as_user as string | undefined };
}

function invalid(name: string, reason: string): ApiError {
  return ApiError.of('request.invalid', {
    message: `The query parameter ${name} ${reason}.`,
    details: [{ pointer: `/${name}`, reason }],
  });
}
