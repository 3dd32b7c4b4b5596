import type { Credential } from '../../../libs/domain/access/caller.js';
import type { Decider } from '../../../libs/domain/foundation/decision.js';
import type { Means } from './means.js';

/** Generates a command for the state that it meets. */
export type Maker<Command> = (means: Means) => Command;

/** A command that is only accepted with this credential. */
export interface MakerWithCredential<Command> {
  readonly credential: Credential;
  readonly make: Maker<Command>;
}

/** A command without a generator, and why. */
export interface Excluded {
  readonly excluded: string;
}

type AnyMaker<Command> = Maker<Command> | MakerWithCredential<Command> | Excluded;

/** One generator for each command; does not compile while one is missing. */
export type MakersOf<Commands> = {
  readonly [N in keyof Commands]: Commands[N] extends { readonly decide: Decider<infer Command> }
    ? AnyMaker<Command>
    : never;
};

/** A command that the service itself runs. */
export function byService<Command>(make: Maker<Command>): MakerWithCredential<Command> {
  return { credential: { kind: 'system' }, make };
}
