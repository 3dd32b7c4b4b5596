import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { PastRequest } from '../../../libs/application/read-record.js';
import type { Shape } from '../../../libs/domain/kernel/view.js';
import type { PointRequest } from '../../../libs/engine/past/points.js';
import { Fault } from '../platform/requests/rule.js';
import { id } from '../platform/requests/rules.js';
import { ApiError } from '../platform/errors.js';
import {
  ApiData,
  ApiRead,
  Operation,
  type OperationText,
} from '../platform/openapi/openapi-decorators.js';
import { as_of } from '../replay/points.js';
import { guardError } from '../refusals.js';

/** Metadata key of handlers that accept `as_of`. */
export const AS_OF = 'drive:as-of';

const USER = id('UserID_');

/** The operation accepts the query parameters `as_of` and `as_user`. */
export function AsOf(): MethodDecorator {
  return applyDecorators(
    SetMetadata(AS_OF, true),
    ApiRead(),
    ApiQuery({
      name: 'as_of',
      required: false,
      schema: as_of.schema,
      description:
        'Returns the state as of a point: `r123` (revision), milliseconds, an RFC 3339 time or `@name` ' +
        '(bookmark). Requires VIEW on AUDIT. Secrets are masked, and last_online_ms is 0',
      example: 'r123',
    }),
    ApiQuery({
      name: 'as_user',
      required: false,
      schema: USER.schema,
      description:
        'With `as_of`: returns the response that this user would have received at the point, errors included',
    }),
  );
}

/** A route that reads a state: the current one, or with `as_of` a past one. @param method `Get(…)` or `Post(…)` */
export function ReadRoute(
  method: MethodDecorator,
  data: Shape,
  text: OperationText,
): MethodDecorator {
  return applyDecorators(Operation(text), ApiData(data), AsOf(), method) as MethodDecorator;
}

/** True for a request with `as_of` or `as_user`, valid or not. */
export function hasPastQuery(request: FastifyRequest): boolean {
  const query = request.query as Record<string, unknown>;
  return query.as_of !== undefined || query.as_user !== undefined;
}

/** The requested past point. @throws ApiError 400 if the operation does not accept `as_of`, or the query is invalid */
export function pastRequest(request: FastifyRequest, accepts_as_of: boolean): PastRequest {
  if (!accepts_as_of) throw guardError('request.no-past');
  const query = request.query as Record<string, unknown>;
  const point = as_of.take(query.as_of);
  const as_user = USER.take(query.as_user);
  for (const [name, value] of Object.entries({ as_of: point, as_user }))
    if (value instanceof Fault) throw invalid(name, value.problems[0]!.reason);
  if (point === undefined)
    throw query.as_of === undefined
      ? invalid('as_user', 'requires as_of')
      : invalid('as_of', 'must not be empty');
  return { point: point as PointRequest, as_user: as_user as string | undefined };
}

function invalid(name: string, reason: string): ApiError {
  return ApiError.of('request.invalid', {
    message: `The query parameter ${name} ${reason}.`,
    details: [{ pointer: `/${name}`, reason }],
  });
}
