import type { CommandDefinition } from '../../domain/foundation/decision.js';
import { type CommandRequest, isRefused, type Outcome } from '../writer/call.js';
import type { Drive } from '../writer/drive.js';
import type { DrivesInMemory } from './drives-in-memory.js';

/** A command with its definition. */
export interface Ready<Command, Answer> {
  readonly definition: CommandDefinition<Command, Answer>;
  readonly command: Command;
}

/** What making a drive needs of the process. */
export interface Spawning {
  readonly memory: DrivesInMemory;
  readonly exists: (drive_id: string) => Promise<boolean>;
  /** Loads the drive without keeping it. */
  readonly build: (drive_id: string) => Promise<Drive>;
  /** Runs a command on a drive that nobody else has. */
  readonly runOn: <Command, Answer>(
    drive: Drive,
    ready: Ready<Command, Answer>,
    request: CommandRequest,
  ) => Promise<Outcome<Answer>>;
  /** Runs a command of the factory. */
  readonly name: (request: CommandRequest) => Promise<Outcome<unknown>>;
  /** Frees what was kept of a drive that has not come to be. */
  readonly forget: (drive_id: string) => Promise<void>;
}

/**
 * Makes a new drive: its own stream first, then the factory's word that it exists. A crash or a
 * lost race in between leaves a stream that is no drive.
 */
export async function spawnDrive<Spawn, Answer>(
  { memory, exists, build, runOn, name, forget }: Spawning,
  drive_id: string,
  spawn: Ready<Spawn, Answer>,
  request: CommandRequest,
): Promise<Outcome<Answer> | 'exists'> {
  for (;;) {
    if (await exists(drive_id)) return 'exists';
    let outcome: Outcome<Answer> | undefined;
    const is_made_here = await memory.make(drive_id, async () => {
      let is_named = false;
      try {
        const drive = await build(drive_id);
        // A stream that is new knows no key that was used.
        outcome = await runOn(drive, spawn, request);
        if (isRefused(outcome)) return null;
        const named = await name(request);
        if (isRefused(named)) {
          outcome = named;
          return null;
        }
        is_named = true;
        return drive;
      } finally {
        if (!is_named) await forget(drive_id);
      }
    });
    if (is_made_here) return outcome!;
  }
}
