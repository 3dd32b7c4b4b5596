import type { Id, World } from '../world.js';

/** A request as a rule sees it: its caller is authenticated. */
export interface Call {
  readonly world: World;
  readonly user: Id;
  /** The key that it was made with, null for a signature. */
  readonly key: Id | null;
  readonly body: any;
  readonly now: number;
  /** Number of the request; ids of records that the service makes are built from it. */
  readonly n: number;
}

/** What the contract expects. */
export interface Verdict {
  /** Several where the contract does not decide between them. */
  readonly statuses: readonly number[];
  /** Changes the model after a success. */
  readonly effect?: (data: any) => void;
}

export type Rule = (call: Call) => Verdict;
export type Rules = Readonly<Record<string, Rule>>;

/** More than one status: the contract leaves open which check comes first. */
export function refused(...statuses: number[]): Verdict {
  return { statuses };
}

export function accepted(effect: (data: any) => void = () => {}): Verdict {
  return { statuses: [200], effect };
}

/** README.md, section 4: "0 and null on create are stored as -1". */
export function ending(time: number | null | undefined): number {
  return time || -1;
}

/** A window that ends no later than it begins: 400 (permissions-model.md, section 3; groups.md, create). */
export function isEmptyWindow(
  begin: number | null | undefined,
  end: number | null | undefined,
): boolean {
  return (end ?? 0) > 0 && end! <= (begin ?? 0);
}
