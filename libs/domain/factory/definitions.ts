import type { CommandDefinition } from '../foundation/decision.js';
import type { BeginImport, EndImport, NameDrive, SpawnDrive } from './commands.js';
import { beginImport, endImport, nameDrive, spawnDrive } from './decide.js';

/** The drive of a factory command. The caller already has the fresh keys and codes. */
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

  BeginImport: {
    name: 'BeginImport',
    decide: beginImport,
    answer: (_, { drive_id }) => ({ drive_id }),
  } satisfies CommandDefinition<BeginImport, FactoryAnswer>,

  EndImport: {
    name: 'EndImport',
    decide: endImport,
    answer: (_, { drive_id }) => ({ drive_id }),
  } satisfies CommandDefinition<EndImport, FactoryAnswer>,
};
