import type { FastifyInstance } from 'fastify';
import { asToken, declaredFields } from './reader.js';
import { type Class, isObject, type Problem, type Rule } from './rule.js';

/** Most faults that one body is blamed for here. */
const MOST_PROBLEMS = 100;

/** Longer keys are not compared with the known ones. */
const LONGEST_COMPARED = 64;

/** Bodies whose senders prefer strict handling. A pipe sees the body, but not its request. */
const strict_bodies = new WeakSet<object>();

/** Whether the sender of a body prefers strict handling. */
export function isStrict(body: unknown): boolean {
  return isObject(body) && strict_bodies.has(body);
}

/** Looks at the header Prefer of every request that has a body, and says what is heeded (RFC 7240). */
export function heedPreference(server: FastifyInstance): void {
  server.addHook('preHandler', (request, reply, done) => {
    const { prefer } = request.headers;
    if (prefer !== undefined && request.method === 'POST' && prefersStrict(prefer)) {
      request.body ??= {};
      if (isObject(request.body)) strict_bodies.add(request.body);
      void reply.header('preference-applied', 'handling=strict');
    }
    done();
  });
}

/** Whether a header Prefer asks for strict handling; of several such preferences the first counts. */
export function prefersStrict(prefer: string | string[]): boolean {
  for (const preference of [prefer].flat().join(',').split(',')) {
    const [, handling] = /^\s*handling\s*=\s*"?([^"\s;]*)"?\s*(?:;|$)/i.exec(preference) ?? [];
    if (handling !== undefined) return handling.toLowerCase() === 'strict';
  }
  return false;
}

/**
 * What strict handling finds wrong with a body: fields that its class does not declare, at any depth,
 * each with the nearest one that it does, and absent ones that it needs only here.
 */
export function strictProblems(type: Class, body: Readonly<Record<string, unknown>>): Problem[] {
  const problems: Problem[] = [];
  look(type, body, '', problems);
  return problems.slice(0, MOST_PROBLEMS);
}

function look(
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
    if (rule?.partsOf) lookInto(rule, value, source, `${at}/${name}`, problems);
  }
  for (const key of Object.keys(source)) {
    if (problems.length >= MOST_PROBLEMS) return;
    if (!fields.has(key))
      problems.push({ at: `${at}/${asToken(key)}`, reason: unknownField(key, names) });
  }
}

function lookInto(
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
      if (isObject(value[index])) look(type, value[index], `${at}/${index}`, problems);
  } else if (isObject(value)) look(type, value, at, problems);
}

function unknownField(key: string, names: readonly string[]): string {
  if (names.length === 0) return 'is unknown; no field is known here';
  if (key.length > LONGEST_COMPARED) return 'is unknown';
  const distances = names.map((name) => distance(key.toLowerCase(), name));
  const nearest = names[distances.indexOf(Math.min(...distances))]!;
  return `is unknown; the nearest known field is ${nearest}`;
}

/** How many letters have to be added, taken away or changed to make one word of another (Levenshtein). */
export function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const change = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
