import { ValidationTypes } from 'class-validator';
import {
  collect,
  compileChecks,
  type CompiledCheck,
  Fault,
  isObject,
  metadataOf,
  Rule,
  type Class,
  type Problem,
} from './rule.js';

interface Field {
  readonly name: string;
  readonly at: string;
  readonly rule: Rule;
  readonly checks: readonly CompiledCheck[];
}

/** The fields of a body class, compiled from class-validator's metadata on first use. */
interface Plan {
  /** In order of declaration; fields of the base class come first. */
  readonly fields: readonly Field[];
  readonly rules: ReadonlyMap<string, Rule>;
  readonly names: ReadonlySet<string>;
}

const plans = new WeakMap<Class, Plan>();

/** Rules of a class's fields by name, in order of declaration. */
export function declaredFields(type: Class): ReadonlyMap<string, Rule> {
  return planOf(type).rules;
}

/** True if the class declares a field. */
export function isDeclared(type: Class): boolean {
  return planOf(type).fields.length > 0;
}

export function fieldsOf(type: Class): ReadonlySet<string> {
  return planOf(type).names;
}

function planOf(type: Class): Plan {
  let plan = plans.get(type);
  if (!plan) plans.set(type, (plan = makePlan(type)));
  return plan;
}

function makePlan(type: Class): Plan {
  const metadata = metadataOf(type);
  const fields = declaredOrder(type, metadata).map((name): Field => {
    const of_name = metadata.filter(
      (entry) => entry.propertyName === name && entry.type === CUSTOM_VALIDATION,
    );
    // Base classes come first: the last declaration of a field is that of the subclass.
    const holder = of_name.findLast((entry) => ruleOf(entry) !== undefined);
    if (!holder) throw new Error(`${type.name}.${name} has no rule; declare it as a field`);
    const rule = ruleOf(holder)!;
    const own = of_name.filter((entry) => entry.target === holder.target && entry !== holder);
    const checks = compileChecks(own);
    return { name, at: `/${name}`, rule, checks };
  });
  const rules = new Map(fields.map(({ name, rule }) => [name, rule]));
  return { fields, rules, names: new Set(rules.keys()) };
}

/** Metadata type of all checks; `IsOptional` has another type. */
const CUSTOM_VALIDATION = ValidationTypes.CUSTOM_VALIDATION;

function ruleOf({ constraints }: { readonly constraints?: readonly unknown[] }): Rule | undefined {
  const [rule] = constraints ?? [];
  return rule instanceof Rule ? rule : undefined;
}

function declaredOrder(
  type: Class,
  metadata: readonly { target: unknown; propertyName: string }[],
): string[] {
  const chain: unknown[] = [];
  for (let at: unknown = type; typeof at === 'function'; at = Object.getPrototypeOf(at)) {
    chain.unshift(at);
  }
  const names = chain.flatMap((target) =>
    metadata.filter((entry) => entry.target === target).map((entry) => entry.propertyName),
  );
  return [...new Set(names)];
}

/**
 * Reads an object into an instance of a class whose fields have rules. Undeclared fields are omitted;
 * absent fields get their defaults.
 *
 * @returns the instance, or a `Fault` with every problem in field order
 */
export function readObject<T extends object>(
  type: Class<T>,
  source: Readonly<Record<string, unknown>>,
): T | Fault {
  // An instance of the class was read before.
  if (source instanceof type) return source;
  const instance = new type() as T & Record<string, unknown>;
  let problems: Problem[] | undefined;
  for (const { name, at, rule, checks } of planOf(type).fields) {
    const result = rule.take(Object.hasOwn(source, name) ? source[name] : undefined, checks);
    if (result instanceof Fault) collect((problems ??= []), at, result);
    // An absent field keeps the value with which its class initialises it.
    else if (result !== undefined) (instance as Record<string, unknown>)[name] = result;
  }
  return problems ? new Fault(problems) : instance;
}

/** Maximum nesting of a body; recursive functions would overflow the stack with deeper ones. */
export const MAX_DEPTH = 64;

/**
 * Finds the first value in a JSON tree that has no canonical form: a string with a lone surrogate, a number
 * that is not finite (1e999), or nesting deeper than `MAX_DEPTH`.
 */
export function flawOf(value: unknown, depth = 0): Problem | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : LONE_SURROGATE;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : NOT_FINITE;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return TOO_DEEP;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const flaw = flawOf(value[index], depth + 1);
      if (flaw) return below(String(index), flaw);
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  for (const key in value) {
    if (!key.isWellFormed()) return LONE_SURROGATE;
    const flaw = flawOf(value[key], depth + 1);
    if (flaw) return below(key, flaw);
  }
  return undefined;
}

const LONE_SURROGATE: Problem = { at: '', reason: 'must be well-formed Unicode' };
const NOT_FINITE: Problem = { at: '', reason: 'must be a finite number' };
const TOO_DEEP: Problem = { at: '', reason: 'is nested too deeply', limit: MAX_DEPTH };

function below(key: string, problem: Problem): Problem {
  return { ...problem, at: `/${asToken(key)}${problem.at}` };
}

/** Escapes a key for a JSON pointer. */
export function asToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
