import * as fc from 'fast-check';
import type { Credential } from '../../libs/domain/access/caller.js';
import { type Commands, COMMANDS } from '../../libs/domain/drive/families.js';
import type { CommandDefinition } from '../../libs/domain/foundation/decision.js';
import type { DriveState } from '../../libs/domain/foundation/state.js';
import { MAKERS } from './generators/all.js';
import { Chance } from './generators/chance.js';
import { anyUser, Means } from './generators/means.js';

export type CommandName = keyof Commands;

/** All commands that a drive takes. */
export const COMMAND_NAMES = (Object.keys(MAKERS) as CommandName[]).filter(
  (name) => !('excluded' in MAKERS[name]),
);

/** A command as chance chose it. What its numbers mean depends on the state it meets. */
export interface Step {
  readonly name: CommandName;
  readonly numbers: readonly number[];
}

/** A command ready to be run. */
export interface PlannedCommand {
  readonly definition: CommandDefinition<unknown, unknown>;
  readonly command: unknown;
  readonly credential: Credential;
  /** How far the clock moves before it, ms. */
  readonly after_ms: number;
}

/** More often than others: what makes the records that the rest works on. */
const FREQUENT: readonly CommandName[] = [
  'CreateContact',
  'CreateGroup',
  'CreateInvite',
  'CreateDisk',
  'CreateFile',
  'CreateFile',
  'CreateFolder',
  'CreateFolder',
  'DeleteFolder',
  'RestoreTrash',
  'CreateDirectoryPermission',
  'CreateSystemPermission',
  'CreateApiKey',
  'SuperswapUser',
  'RedeemContact',
  'StoreContent',
  'StoreContent',
  'CreateLabel',
  'PinLabel',
  'PinLabel',
  'CreatePurchase',
];

/** Commands that create, replace and delete the content of files. */
const OF_CONTENT: readonly CommandName[] = [
  'RedeemOrganization',
  'CreateDisk',
  'UpdateDisk',
  'CreateFile',
  'CreateFile',
  'UpdateFile',
  'CopyFile',
  'DeleteFile',
  'RestoreTrash',
  'SweepExpired',
  ...Array.from({ length: 6 }, () => 'StoreContent' as const),
  'PutFile',
  'PutFile',
  'ReleaseVersions',
  'ReleaseVersions',
  'DeleteContents',
  'RemoveLostContents',
];

function stepOf(names: readonly CommandName[]): fc.Arbitrary<Step> {
  return fc.record({
    name: fc.constantFrom(...names),
    numbers: fc.array(fc.nat(0xffff), { minLength: 24, maxLength: 24, size: 'max' }),
  });
}

export const aStep = stepOf([...COMMAND_NAMES, ...FREQUENT]);

/** At least 200 commands; fast-check's own sizes would make far fewer. */
const MANY = { minLength: 200, maxLength: 260, size: 'max' } as const;

export const manySteps = fc.array(aStep, MANY);
export const contentSteps = fc.array(stepOf(OF_CONTENT), MANY);

const STEPS_MS = [0, 0, 1, 1_000, 3_600_000, 26 * 3_600_000];

/** Makes commands for the state they meet, with ids that no run repeats by accident. */
export class Planner {
  private made = 0;

  plan({ name, numbers }: Step, state: DriveState, now: number): PlannedCommand {
    this.made++;
    const chance = new Chance(numbers);
    const after_ms = chance.of(STEPS_MS);
    const asked = credentialOf(chance, state);
    const maker = MAKERS[name];
    if ('excluded' in maker) throw new Error(`${name} has no generator: ${maker.excluded}`);
    const means = new Means(chance, state, now, this.made);
    const { make, credential } =
      typeof maker === 'function' ? { make: maker, credential: asked } : maker;
    const definition = COMMANDS[name] as CommandDefinition<never, unknown>;
    return {
      definition: definition as CommandDefinition<unknown, unknown>,
      command: make(means),
      credential,
      after_ms,
    };
  }
}

/** Half of the time the owner, else anybody by signature or by a key that stands in the state. */
function credentialOf(chance: Chance, state: DriveState): Credential {
  const who = chance.number() % 4;
  const user_id = who < 2 ? state.organization.owner_id : anyUser(chance, state);
  const keys = state.api_keys.where('user', user_id);
  const key = chance.once(2) && keys.length > 0 ? chance.of(keys) : undefined;
  return key ? { kind: 'api_key', digest: key.digest } : { kind: 'signature', user_id };
}
