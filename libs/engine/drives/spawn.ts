import type { CommandDefinition } from '../../domain/foundation/decision.js';
import { type CommandRequest, isRefused, type Outcome } from '../writer/call.js';
import type { Drive } from '../writer/drive.js';
import type { DrivesInMemory } from './drives-in-memory.js';

/** A command with its definition. */
export interface Ready<Command, Answer> {
  readonly definition: CommandDefinition<Command, Answer>;
  readonly command: Command;
}

/** What spawning a drive needs from the process. */
export interface Spawning {
  readonly memory: DrivesInMemory;
  readonly exists: (drive_id: string) => Promise<boolean>;
  /** Loads the drive without caching it. */
  readonly build: (drive_id: string) => Promise<Drive>;
  /** Runs a command on a drive that is not shared. */
  readonly runOn: <Command, Answer>(
    drive: Drive,
    ready: Ready<Command, Answer>,
    request: CommandRequest,
  ) => Promise<Outcome<Answer>>;
  /** Runs a command of the factory. */
  readonly name: (request: CommandRequest) => Promise<Outcome<unknown>>;
  /** Discards resources of a drive that was not created. */
  readonly forget: (drive_id: string) => Promise<void>;
}

/**
 * Creates a drive: first its own stream, then the factory event that names it. A crash or a lost race in between
 * leaves a stream without a drive.
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
        // A new stream has no earlier idempotency keys.
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
