import type { FastifyInstance, FastifyRequest } from 'fastify';
import { asToken, declaredFields } from './reader.js';
import { type Class, isObject, type Problem, type Rule } from './rule.js';
import { nearestOf } from '../nearest.js';

/** Maximum number of problems reported for one body. */
const MOST_PROBLEMS = 100;

/** Longer unknown keys are reported without the nearest known field. */
const LONGEST_COMPARED = 64;

/** Bodies of requests with strict handling. Kept here, because a pipe receives the body without its request. */
const strict_bodies = new WeakSet<object>();

/** True if the request of a body prefers strict handling. */
export function isStrict(body: unknown): boolean {
  return isObject(body) && strict_bodies.has(body);
}

/** Confirms the header Prefer of POST requests with Preference-Applied (RFC 7240). */
export function installPreferHeader(server: FastifyInstance): void {
  server.addHook('preHandler', (request, reply, done) => {
    if (isStrictRequest(request)) void reply.header('preference-applied', 'handling=strict');
    done();
  });
}

/** Marks the parsed body of a request with strict handling. */
export function markStrict(request: FastifyRequest): void {
  if (!isStrictRequest(request)) return;
  request.body ??= {};
  if (isObject(request.body)) strict_bodies.add(request.body);
}

function isStrictRequest({ method, headers: { prefer } }: FastifyRequest): boolean {
  return prefer !== undefined && method === 'POST' && prefersStrict(prefer);
}

/** True if the header Prefer asks for strict handling. If it lists several `handling` preferences, the first one applies. */
export function prefersStrict(prefer: string | string[]): boolean {
  for (const preference of [prefer].flat().join(',').split(',')) {
    const [, handling] = /^\s*handling\s*=\s*"?([^"\s;]+)"?\s*(?:;|$)/i.exec(preference) ?? [];
    if (handling !== undefined) return handling.toLowerCase() === 'strict';
  }
  return false;
}

/**
 * The problems that only strict handling reports: unknown fields at any depth, each with the nearest known field,
 * and absent fields that only strict handling requires.
 */
export function strictProblems(type: Class, body: Readonly<Record<string, unknown>>): Problem[] {
  const problems: Problem[] = [];
  checkObject(type, body, '', problems);
  return problems.slice(0, MOST_PROBLEMS);
}

function checkObject(
  type: Class,
  source: Readonly<Record<string, unknown>>,
  at: string,
  problems: Problem[],
): void {
  const fields = declaredFields(type);
  const names = [...fields.keys()];
  for (const [name, rule] of fields) {
    const value = Object.hasOwn(source, name) ? source[name] : undefined;
    if (value === undefined && rule?.options.required === 'strict')
      problems.push({ at: `${at}/${name}`, reason: 'is required with strict handling' });
    if (rule?.partsOf) checkParts(rule, value, source, `${at}/${name}`, problems);
  }
  for (const key of Object.keys(source)) {
    if (problems.length >= MOST_PROBLEMS) return;
    if (!fields.has(key))
      problems.push({ at: `${at}/${asToken(key)}`, reason: unknownField(key, names) });
  }
}

function checkParts(
  rule: Rule,
  value: unknown,
  beside: Readonly<Record<string, unknown>>,
  at: string,
  problems: Problem[],
): void {
  const type = rule.partsOf!(beside);
  if (!type || problems.length >= MOST_PROBLEMS) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1)
      if (isObject(value[index])) checkObject(type, value[index], `${at}/${index}`, problems);
  } else if (isObject(value)) checkObject(type, value, at, problems);
}

function unknownField(key: string, names: readonly string[]): string {
  if (names.length === 0) return 'is unknown; no field is known here';
  if (key.length > LONGEST_COMPARED) return 'is unknown';
  return `is unknown; the nearest known field is ${nearestOf(names, key).name}`;
}
