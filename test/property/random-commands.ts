import type { DriveState } from '../../libs/domain/foundation/state.js';
import * as fc from 'fast-check';
import type { Credential } from '../../libs/domain/access/caller.js';
import type { CommandDefinition } from '../../libs/domain/foundation/decision.js';
import { Chance } from './chance.js';
import { extraCommand, extraCommands, FREQUENT_EXTRAS } from './random-extras.js';
import { itemCommand, itemCommands } from './random-items.js';
import { anyUser, Means } from './random-means.js';
import { peopleCommand, peopleCommands } from './random-people.js';
import { rightCommand, rightCommands } from './random-rights.js';

type AnyDefinition = CommandDefinition<never, unknown>;

const definitions = { ...peopleCommands, ...itemCommands, ...rightCommands, ...extraCommands };

export type CommandName = keyof typeof definitions;

/** All commands of a drive, the spawning ones aside. */
export const COMMAND_NAMES = Object.keys(definitions) as readonly CommandName[];

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
  ...FREQUENT_EXTRAS,
];

export const aStep: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom(...COMMAND_NAMES, ...FREQUENT),
  numbers: fc.array(fc.nat(0xffff), { minLength: 24, maxLength: 24, size: 'max' }),
});

/** At least 200 commands; fast-check's own sizes would make far fewer. */
export const manySteps = fc.array(aStep, { minLength: 200, maxLength: 260, size: 'max' });

const STEPS_MS = [0, 0, 1, 1_000, 3_600_000, 26 * 3_600_000];

/** Makes commands for the state they meet, with ids that no run repeats by accident. */
export class Planner {
  private made = 0;

  plan({ name, numbers }: Step, state: DriveState, now: number): PlannedCommand {
    this.made++;
    const chance = new Chance(numbers);
    const after_ms = chance.of(STEPS_MS);
    const asked = credentialOf(chance, state);
    const command = commandOf(name, new Means(chance, state, now, this.made));
    const by_code = name === 'RedeemOrganization';
    const by_service =
      name === 'EndContactCode' || name === 'RecordReindex' || name === 'SweepExpired';
    const credential: Credential = by_code
      ? { kind: 'code' }
      : by_service
        ? { kind: 'system' }
        : asked;
    const definition: AnyDefinition = definitions[name];
    return {
      definition: definition as unknown as CommandDefinition<unknown, unknown>,
      command,
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

function commandOf(name: CommandName, means: Means): unknown {
  if (isOf(peopleCommands, name)) return peopleCommand(name, means);
  if (isOf(itemCommands, name)) return itemCommand(name, means);
  if (isOf(rightCommands, name)) return rightCommand(name, means);
  return extraCommand(name, means);
}

function isOf<Commands extends object>(
  commands: Commands,
  name: PropertyKey,
): name is keyof Commands {
  return Object.hasOwn(commands, name);
}
