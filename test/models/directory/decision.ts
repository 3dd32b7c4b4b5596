/** What the contract says about one action: the codes it may be refused with, or what it does. */
export type Decision = Refused | Accepted;

export interface Refused {
  readonly refused: readonly number[];
}

export interface Accepted {
  /** Changes the model and gives the expected result; learns from the answer what only the service can know. */
  apply(result: any): unknown;
  /** Refusals that the contract leaves possible. */
  readonly may_refuse?: readonly number[];
}

export function refuse(...codes: number[]): Refused {
  return { refused: codes };
}

/** Any text: the contract does not give its words. */
export const ANY_TEXT = Symbol('any text');

/** An upload form or its lack, looked at by its `url` only. */
export class UploadForm {
  constructor(readonly has_url: boolean) {}
}

/** A list of which the contract names no order. */
export class Unordered {
  constructor(readonly values: readonly unknown[]) {}
}

/** Values between which the contract does not decide. */
export class Either {
  constructor(readonly values: readonly unknown[]) {}
}
