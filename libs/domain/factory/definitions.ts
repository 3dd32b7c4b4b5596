import type { CommandDefinition } from '../drive/decision.js';
import type { NameDrive, SpawnDrive } from './commands.js';
import { nameDrive, spawnDrive } from './decide.js';

/** The drive a factory command was about. Whoever asked holds the fresh keys and codes already. */
export interface FactoryAnswer {
  drive_id: string;
}

export const factoryCommands = {
  SpawnDrive: {
    name: 'SpawnDrive',
    decide: spawnDrive,
    answer: (_, { drive_id }) => ({ drive_id }),
  } satisfies CommandDefinition<SpawnDrive, FactoryAnswer>,

  NameDrive: {
    name: 'NameDrive',
    decide: nameDrive,
    answer: (_, { drive_id }) => ({ drive_id }),
  } satisfies CommandDefinition<NameDrive, FactoryAnswer>,
};
