import { randomUUID } from 'node:crypto';
import type { StoredContent } from '../../content-store/port.js';
import { directoryCommands } from '../../domain/directory/definitions.js';
import {
  isDeletable,
  isOutdated,
  limitsVersions,
} from '../../domain/directory/content/retention.js';
import type { CommandDefinition } from '../../domain/foundation/decision.js';
import type { DriveState } from '../../domain/foundation/state.js';
import { PeriodicSweep, type SweepOptions } from '../drives/periodic-sweep.js';
import { inTurns } from '../tasks/turns.js';
import { isRefused, systemRequest } from '../writer/call.js';
import type { Drive } from '../writer/drive.js';
import type { Contents } from './contents.js';
import { storedContents } from './gaps.js';

/** Interval between two rounds, ms. */
const SWEEP_EVERY_MS = 600_000;
/** Maximum drives of one round, each of which may have to be loaded. */
const MOST_DRIVES = 100;
/** Maximum ids of one command. */
const MOST_IDS = 500;
/** Versions looked at in one step. */
const VERSIONS_A_STEP = 100;
/** Stored bytes that no record names may belong to an upload in progress until then, ms. */
export const LEFTOVER_MS = 24 * 3_600_000;

/** What a sweep removes from one drive. */
export interface ContentPlan {
  /** Former versions that lose their content. */
  readonly version_ids: readonly string[];
  /** Contents that no version names any more. */
  readonly content_ids: readonly string[];
  /** Stored bytes that no record names, from interrupted uploads. */
  readonly leftovers: readonly StoredContent[];
}

/** The drive cannot be swept: its state may lack contents that its stream names. */
export class IncompleteState extends Error {
  override readonly name = 'IncompleteState';
}

interface ContentSweepOptions extends SweepOptions {
  readonly contents: Contents;
}

/**
 * Removes content: that of former versions beyond what their disk keeps, that of removed files after the retention
 * time, and what interrupted uploads have left. The events that say so come first; bytes that a crash leaves behind
 * then are leftovers for a later sweep. A round sweeps a bounded number of drives, and the next one resumes after
 * them.
 */
export class ContentSweep extends PeriodicSweep<ContentSweepOptions> {
  private after = '';
  /**
   * Leftovers that the last round of each drive found, and left for the next one: where a clock is set wrong, the bytes
   * of an upload look old before its event is stored.
   */
  private readonly found_before = new Map<string, ReadonlySet<string>>();

  constructor(options: ContentSweepOptions) {
    super(options, SWEEP_EVERY_MS);
  }

  protected override async sweepNext(): Promise<void> {
    const { drives, contents, failed } = this.options;
    const drive_ids = await contents.store.drives(this.after, MOST_DRIVES);
    for (const drive_id of drive_ids) {
      if (this.is_closing) return;
      this.after = drive_id;
      if (!drives.isResponsibleFor(drive_id) || !(await drives.isServed(drive_id))) continue;
      await this.sweepInRound(drive_id).catch((error: unknown) => failed(drive_id, error));
    }
    if (drive_ids.length < MOST_DRIVES) {
      this.after = '';
      await contents.store.sweepUnfinished(drives.clock() - LEFTOVER_MS);
    }
  }

  /** What a sweep would remove from a drive now. @throws IncompleteState */
  plan(drive_id: string): Promise<ContentPlan> {
    const { drives } = this.options;
    return drives.hold(drive_id, async (drive) => {
      await this.complete(drive);
      const { state } = drive;
      const now = drive.now();
      const { content_retention_ms } = drives.settings;
      const version_ids: string[] = [];
      await inTurns(outdated(state, now, version_ids));
      const unused = [...state.contents.by('unused', 'unused')];
      return {
        version_ids,
        content_ids: unused.filter((id) => isDeletable(state, id, content_retention_ms, now)),
        leftovers: await this.leftovers(drive),
      };
    });
  }

  /** Removes from a drive what is due. @returns what was removed @throws IncompleteState */
  async sweepDrive(drive_id: string): Promise<ContentPlan> {
    return this.remove(drive_id, await this.plan(drive_id));
  }

  private async sweepInRound(drive_id: string): Promise<void> {
    const plan = await this.plan(drive_id);
    const before = this.found_before.get(drive_id);
    const leftovers: StoredContent[] = [];
    const found = new Set<string>();
    for (const leftover of plan.leftovers) {
      if (before?.has(leftover.content_id)) leftovers.push(leftover);
      else if (found.size < MOST_IDS) found.add(leftover.content_id);
    }
    if (found.size > 0) this.found_before.set(drive_id, found);
    else this.found_before.delete(drive_id);
    await this.remove(drive_id, { ...plan, leftovers });
  }

  private async remove(drive_id: string, plan: ContentPlan): Promise<ContentPlan> {
    const { contents } = this.options;
    const { ReleaseVersions, DeleteContents } = directoryCommands;
    const version_ids: string[] = [];
    const content_ids: string[] = [];
    for (const ids of parts(plan.version_ids))
      version_ids.push(...(await this.run(drive_id, ReleaseVersions, { version_ids: ids })));
    for (const ids of parts(plan.content_ids))
      content_ids.push(...(await this.run(drive_id, DeleteContents, { content_ids: ids })));
    for (const content_id of content_ids) await contents.delete({ drive_id, content_id });
    for (const leftover of plan.leftovers) await contents.delete(leftover);
    return { version_ids, content_ids, leftovers: plan.leftovers };
  }

  private async run<Command>(
    drive_id: string,
    definition: CommandDefinition<Command, { ids: readonly string[] }>,
    command: Command,
  ): Promise<readonly string[]> {
    const request = systemRequest(`content-sweep-${randomUUID()}`);
    const outcome = await this.options.drives.commands.run(drive_id, definition, command, request);
    return isRefused(outcome) ? [] : outcome.data.ids;
  }

  /** The state must name all contents of the stream: others would be taken for leftovers. */
  private async complete(drive: Drive): Promise<void> {
    const { drives } = this.options;
    if (drives.role.follows) await drive.follow();
    await drive.durable();
    if (drive.state.unknown_events.size > 0 || drives.damaged.isClosed(drive.drive_id))
      throw new IncompleteState(`the state of ${drive.drive_id} may be incomplete`);
  }

  private async leftovers({ drive_id, state }: Drive): Promise<StoredContent[]> {
    const { contents, drives } = this.options;
    const before_ms = drives.clock() - LEFTOVER_MS;
    const found: StoredContent[] = [];
    for await (const stored of storedContents(contents.store, drive_id))
      if (stored.stored_ms < before_ms && !state.contents.has(stored.content_id))
        found.push(stored);
    return found;
  }
}

/** Collects the former versions whose content is no longer kept, in small steps. */
function* outdated(state: DriveState, now: number, version_ids: string[]): Generator<void> {
  if (![...state.disks.values()].some(limitsVersions)) return;
  let nth = 0;
  // Ids are copied, because commands may change the versions between two steps.
  for (const id of [...state.file_versions.ids()]) {
    const version = state.file_versions.get(id);
    if (version && isOutdated(state, version, now)) version_ids.push(id);
    if (++nth % VERSIONS_A_STEP === 0) yield;
  }
}

function* parts(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += MOST_IDS) yield ids.slice(at, at + MOST_IDS);
}
