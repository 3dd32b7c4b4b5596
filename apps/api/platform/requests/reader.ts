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

/** The fields of a class of bodies, compiled from class-validator's metadata on first use. */
interface Plan {
  /** In the order of declaration, those of the base class first. */
  readonly fields: readonly Field[];
  readonly rules: ReadonlyMap<string, Rule>;
  readonly names: ReadonlySet<string>;
}

const plans = new WeakMap<Class, Plan>();

/** Rules of a class's fields by name, in the order of declaration. */
export function declaredFields(type: Class): ReadonlyMap<string, Rule> {
  return planOf(type).rules;
}

/** Whether the class declares any field. */
export function isDeclared(type: Class): boolean {
  return planOf(type).fields.length > 0;
}

/** Names of the fields that a class of bodies declares. */
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
    // A base class declares its fields before the class that declares one of them anew.
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

/** The type of metadata of every check; `IsOptional` has another one. */
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
 * Reads an object into an instance of a class whose fields carry rules. Fields without a rule or
 * decorator are left out, defaults are filled in.
 *
 * @returns the instance, or a `Fault` with every problem in field order
 */
export function readObject<T extends object>(
  type: Class<T>,
  source: Readonly<Record<string, unknown>>,
): T | Fault {
  // An instance of the class has been read already.
  if (source instanceof type) return source;
  const instance = new type() as T & Record<string, unknown>;
  let problems: Problem[] | undefined;
  for (const { name, at, rule, checks } of planOf(type).fields) {
    const taken = rule.take(Object.hasOwn(source, name) ? source[name] : undefined, checks);
    if (taken instanceof Fault) collect((problems ??= []), at, taken);
    // A field initialised by its class keeps that value while absent.
    else if (taken !== undefined) (instance as Record<string, unknown>)[name] = taken;
  }
  return problems ? new Fault(problems) : instance;
}

/** Deepest nesting of a body; deeper ones would exhaust the stack of whatever walks them. */
export const MAX_DEPTH = 64;

/**
 * The first value of a JSON tree that has no canonical form: half of a surrogate pair, a number
 * beyond all bounds (1e999), or nesting beyond `MAX_DEPTH`.
 */
export function flawOf(value: unknown, depth = 0): Problem | undefined {
  if (typeof value === 'string') return isWellFormed(value) ? undefined : LONE_SURROGATE;
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
    if (!isWellFormed(key)) return LONE_SURROGATE;
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

/** A key as a part of a JSON pointer. */
export function asToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** ES2024, which the compiler's library here does not describe yet. */
function isWellFormed(value: string): boolean {
  return (value as string & { isWellFormed(): boolean }).isWellFormed();
}
