import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { collect, Fault, isObject, Rule, type Class, type Problem } from './rule.js';

interface Field {
  readonly name: string;
  readonly at: string;
  readonly rule: Rule;
}

/** What is known of a class of bodies, worked out once: class-validator would at every call. */
interface Plan {
  readonly fields: readonly Field[];
  /** Fields that carry decorators of class-validator itself; they go through the library. */
  readonly others: readonly string[];
  /** All fields in the order of declaration, those of the base class first. */
  readonly order: readonly string[];
  readonly names: ReadonlySet<string>;
}

const plans = new WeakMap<Class, Plan>();

/** Names and rules of a class's fields, in the order of declaration; no rule where class-validator checks one. */
export function declaredFields(type: Class): ReadonlyMap<string, Rule | undefined> {
  const { order, fields } = planOf(type);
  const rules = new Map(fields.map(({ name, rule }) => [name, rule]));
  return new Map(order.map((name) => [name, rules.get(name)]));
}

/** Whether the class declares any field. */
export function isDeclared(type: Class): boolean {
  return planOf(type).order.length > 0;
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
  const storage = getMetadataStorage();
  const rules = new Map<string, Rule>();
  const others = new Set<string>();
  const metadata = storage.getTargetValidationMetadatas(type, '', false, false);
  for (const entry of metadata) {
    const rule: unknown = entry.constraints?.[0];
    if (rule instanceof Rule) {
      rules.set(entry.propertyName, rule);
      continue;
    }
    others.add(entry.propertyName);
    if (entry.constraintCls === undefined) continue;
    for (const constraint of storage.getTargetValidatorConstraints(entry.constraintCls)) {
      // Checked synchronously, an asynchronous constraint would be skipped without a word.
      if (constraint.async) {
        throw new Error(`${type.name}.${entry.propertyName} has an asynchronous constraint`);
      }
    }
  }
  const order = declaredOrder(type, metadata);
  const fields = order.flatMap((name): Field[] => {
    const rule = rules.get(name);
    return rule ? [{ name, at: `/${name}`, rule }] : [];
  });
  return { fields, others: [...others], order, names: new Set(order) };
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
  const plan = planOf(type);
  const instance = new type() as T & Record<string, unknown>;
  let problems: Problem[] | undefined;
  for (const { name, at, rule } of plan.fields) {
    const taken = rule.take(Object.hasOwn(source, name) ? source[name] : undefined);
    if (taken instanceof Fault) collect((problems ??= []), at, taken);
    // A field initialised by its class keeps that value while absent.
    else if (taken !== undefined) (instance as Record<string, unknown>)[name] = taken;
  }
  if (plan.others.length > 0) problems = readOthers(type, plan, source, instance, problems ?? []);
  return problems && problems.length > 0 ? new Fault(problems) : instance;
}

/** Fields with decorators of class-validator and class-transformer themselves. */
function readOthers<T extends object>(
  type: Class<T>,
  plan: Plan,
  source: Readonly<Record<string, unknown>>,
  instance: T,
  problems: Problem[],
): Problem[] {
  const ruled = new Set(plan.fields.map(({ name }) => name));
  const loose = plan.others.filter((name) => !ruled.has(name) && Object.hasOwn(source, name));
  const part = Object.fromEntries(loose.map((name) => [name, source[name]]));
  const read = plainToInstance(type, part) as Record<string, unknown>;
  for (const name of loose) (instance as Record<string, unknown>)[name] = read[name];
  const blamed = new Set(problems.map(({ at }) => at.split('/')[1]));
  const errors = validateSync(instance, { forbidUnknownValues: false });
  // A value that broke its rule is not on the instance, so further constraints say nothing of it.
  const found = errors.filter(({ property }) => !blamed.has(property)).flatMap(toProblems);
  const place = ({ at }: Problem): number => plan.order.indexOf(at.split('/')[1] ?? '');
  return [...problems, ...found].toSorted((a, b) => place(a) - place(b));
}

function toProblems(error: ValidationError): Problem[] {
  const at = `/${error.property}`;
  const own = Object.values(error.constraints ?? {}).map((message) => ({
    at,
    reason: message.startsWith(`${error.property} `)
      ? message.slice(error.property.length + 1)
      : message,
  }));
  const inner = (error.children ?? []).flatMap(toProblems);
  return [...own, ...inner.map((problem) => ({ ...problem, at: at + problem.at }))];
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
