import { setTimeout as after } from 'node:timers/promises';
import type { CommandDefinition } from '../../domain/foundation/decision.js';
import { factoryCommands } from '../../domain/factory/commands.js';
import {
  AppendOutcomeUnknown,
  type NewEvent,
  WrongExpectedRevision,
} from '../../event-store/port.js';
import type { ChainedEvent } from '../../proofs/chain.js';
import { checkedParts } from '../../proofs/stream-file.js';
import { nextExpiry } from '../../domain/directory/items/expiry.js';
import { isRefused } from '../writer/call.js';
import { boxesIn } from '../keys/codec.js';
import { FACTORY_ID, streamOf } from '../fold/fold.js';
import { DEFAULT_LIMITS } from '../drives/limits.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import { verifyStream } from '../verify/verify-drive.js';
import type { Contents } from '../contents/contents.js';
import { sizeGaps } from '../contents/gaps.js';
import { deletedSince, RecordedContents } from '../contents/recorded.js';
import { erasedKeysOf } from '../keys/codec.js';
import {
  type CopiedContents,
  copyContents,
  type OmittedContent,
  removeContents,
} from './contents.js';
import { ImportRefused, type Planned, survey, type SurveyInput } from './survey.js';

const BATCH_EVENTS = 1000;
const APPEND_RETRIES = 5;
const RETRY_MS = 200;

export interface ImportInput extends SurveyInput {
  /** The target's content store. */
  readonly contents?: Contents;
  /** Contents of the drives, for the target's keys; absent: none are imported. */
  readonly contents_from?: Contents;
  /** True: contents that `contents_from` lacks are omitted, as all are without it; else they end the import. */
  readonly skip_missing_content?: boolean;
  readonly max_append_bytes?: number;
}

export interface ImportedStream {
  readonly drive_id: string;
  readonly events: number;
  /** Events written by this call; 0 if all of them existed. */
  readonly written: number;
  readonly chain_hash: string;
  /** Root over the records at its end; null if nothing had to be done or it is unknown. */
  readonly state_hash: string | null;
  /** Keys that are missing, so that their data reads `[sealed]`. */
  readonly missing_keys: number;
  /** Contents copied by this call. */
  readonly contents: number;
  /** Contents that the target does not have: their versions are shown as unavailable. */
  readonly missing_contents: number;
  /** Contents that could not be copied, and why. */
  readonly omitted: readonly OmittedContent[];
  /** Types of events unknown to this release; the drive stays closed until a release that knows them. */
  readonly unknown_types: readonly string[];
}

/**
 * Imports streams in two passes: the first checks everything, internally and against the store, the second writes. A
 * drive is closed until its stream is complete, has been read back, and its webhooks are positioned at its end. After
 * a crash or an abort, another call resumes; after completion it does nothing.
 * @throws ImportRefused; BrokenFile, Malformed and UnusableKeyFile for the input
 */
export async function* importStreams(input: ImportInput): AsyncGenerator<ImportedStream> {
  const plan = await survey(input);
  const has_factory = plan.has(FACTORY_ID);
  const total = [...plan.values()].reduce((sum, { header }) => sum + header.events, 0);
  const lost = new Map<string, readonly string[]>();
  let importer: StreamImport | null = null;
  let export_id = '';
  let done = 0;
  for await (const part of checkedParts(input.parts())) {
    if (part.kind === 'header') {
      const planned = plan.get(part.header.drive_id);
      importer = planned ? new StreamImport(input, planned, has_factory) : null;
      ({ export_id } = part.header);
      await importer?.begin();
    } else if (part.kind === 'event' && importer) {
      await importer.add(part.event);
      if (++done % BATCH_EVENTS === 0) input.progress?.('import', done, total);
    } else if (importer) {
      input.progress?.('import', done, total);
      yield await importer.end();
      if (importer.lost.length > 0) lost.set(importer.drive_id, importer.lost);
    }
  }
  // The factory's stream, which names the drives, comes last.
  for (const [drive_id, ids] of lost)
    await removeContents(input.drives, drive_id, ids, `import ${export_id}`);
}

class StreamImport {
  private readonly batch: NewEvent[] = [];
  private readonly erased = new Set<string>();
  private readonly used_keys = new Set<string>();
  private readonly recorded = new RecordedContents();
  /** Contents that the target does not have. */
  lost: readonly string[] = [];
  private batch_bytes = 0;
  private at: number;
  private last: ChainedEvent | null = null;

  constructor(
    private readonly input: ImportInput,
    private readonly planned: Planned,
    /** The file's factory stream names the drives, at its end. */
    private readonly has_factory: boolean,
  ) {
    this.at = planned.head?.revision ?? -1;
  }

  get drive_id(): string {
    return this.planned.header.drive_id;
  }

  private get is_factory(): boolean {
    return this.drive_id === FACTORY_ID;
  }

  /** Closes the drive, if this installation's factory is to name it. */
  async begin(): Promise<void> {
    if (this.is_factory || this.has_factory || this.planned.is_open) return;
    await this.tellFactory(factoryCommands.BeginImport, { drive_id: this.drive_id });
  }

  async add(event: ChainedEvent): Promise<void> {
    this.last = event;
    this.recorded.note(streamOf(this.drive_id), event);
    for (const { key_id } of boxesIn(event.data)) this.used_keys.add(key_id);
    for (const key_id of erasedKeysOf(event)) this.erased.add(key_id);
    if (event.revision <= (this.planned.head?.revision ?? -1)) return;
    const bytes = Buffer.byteLength(event.metadata) + Buffer.byteLength(event.data);
    const most = this.input.max_append_bytes ?? DEFAULT_LIMITS.batch_max_bytes;
    if (this.batch.length === BATCH_EVENTS || this.batch_bytes + bytes > most) await this.flush();
    this.batch.push(event);
    this.batch_bytes += bytes;
  }

  async end(): Promise<ImportedStream> {
    const { drives, keys, progress, signal } = this.input;
    const { header, head, is_open } = this.planned;
    const { drive_id } = this;
    if (this.batch.length > 0) await this.flush();
    const given = await keys?.keysOf(drive_id, this.erased);
    if (given) await this.storeKeys(given);
    // A restored or older vault may still hold them.
    if (this.erased.size > 0) await drives.side.keys.destroy(drive_id, [...this.erased]);
    const missing_keys = await this.missingKeys();
    const content = await this.importContents();
    const written = header.events - 1 - (head?.revision ?? -1);
    const result = {
      drive_id,
      events: header.events,
      written: Math.max(0, written),
      chain_hash: Buffer.from(this.last!.hash).toString('hex'),
      missing_keys,
      contents: content.copied,
      missing_contents: this.lost.length,
      omitted: content.omitted,
    };
    const was_done = written <= 0 && (is_open || this.is_factory);
    if (was_done && !given) return { ...result, state_hash: null, unknown_types: [] };
    const { checked, folded, findings } = await verifyStream({
      drive_id,
      events: drives.events,
      side: drives.side,
      progress(done) {
        signal?.throwIfAborted();
        progress?.('verify', done, header.events);
      },
    });
    const { reason, valid, first_bad_revision } = findings.verification(checked.size);
    if (!valid) throw new ImportRefused(drive_id, `read back: ${reason}`, first_bad_revision);
    const { state, hash } = folded;
    const unknown_types = [...state.unknown_events];
    if (!is_open) await this.open(folded);
    const is_at_end = state.revision === header.events - 1;
    const state_hash = is_at_end && unknown_types.length === 0 ? hash.root() : null;
    return { ...result, state_hash, unknown_types };
  }

  private async importContents(): Promise<CopiedContents> {
    const { contents, contents_from, drives, skip_missing_content, progress, signal } = this.input;
    const { drive_id } = this;
    const known = this.recorded.of(drive_id);
    if (!contents || known.contents.size === 0) return { copied: 0, existing: 0, omitted: [] };
    // What an earlier import omitted is deleted here since.
    const deleted = await deletedSince(drives.events, drive_id, known.revision);
    const recorded = new Map([...known.contents].filter(([id]) => !deleted.has(id)));
    const total = [...recorded.values()].reduce((sum, { size }) => sum + size, 0);
    let done = 0;
    const copied = await copyContents({
      ...{ drive_id, recorded: contents_from ? recorded : new Map(), signal },
      ...{ from: contents_from ?? contents, to: contents },
      progress: (bytes) => progress?.('content', (done += bytes), total),
    });
    const [first] = copied.omitted;
    if (first && !skip_missing_content)
      throw new ImportRefused(
        drive_id,
        `${copied.omitted.length} contents cannot be copied; ${first.content_id} ${first.problem}. Repair their copy, ` +
          'or omit them with --skip-missing-content',
      );
    this.lost = [...(await sizeGaps(contents.store, drive_id, recorded)).missing.keys()];
    return copied;
  }

  /** Opens the drive: first its webhooks are positioned at the end, so that none delivers earlier events. */
  private async open({ state }: FoldedState): Promise<void> {
    const { drives } = this.input;
    const { drive_id } = this;
    const { revision, hash: event_hash } = this.last!;
    const { expiries, jobs } = drives.side;
    if (state.webhooks.size > 0 && state.revision === revision) {
      await jobs.close(drive_id, Infinity);
      await jobs.open({ drive_id, revision, event_hash }, drives.clock());
    }
    const at_ms = nextExpiry(state, 0, drives.settings.trash_ms);
    if (at_ms !== null)
      await expiries.note([{ drive_id, at_ms, revision, noted_ms: drives.clock() }]);
    if (this.is_factory || this.has_factory) return;
    const chain_hash = Buffer.from(event_hash).toString('hex');
    await this.tellFactory(factoryCommands.EndImport, { drive_id, revision, chain_hash });
  }

  private async storeKeys(given: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const { drive_id } = this;
    const vault = this.input.drives.side.keys;
    const wanted = new Map([...given].filter(([key_id]) => !this.erased.has(key_id)));
    await vault.put(drive_id, wanted);
    for (const [key_id, key] of wanted) {
      const stored = await vault.get(drive_id, key_id);
      if (stored && !Buffer.from(stored).equals(key))
        throw new ImportRefused(drive_id, `another key ${key_id} exists here already`);
    }
  }

  private async missingKeys(): Promise<number> {
    const held = await this.input.drives.side.keys.all(this.drive_id);
    return [...this.used_keys].filter((key_id) => !held.has(key_id) && !this.erased.has(key_id))
      .length;
  }

  /** Appends the pending events; if the outcome is unknown, exactly the same again. */
  private async flush(): Promise<void> {
    const { drives, signal } = this.input;
    signal?.throwIfAborted();
    const batch = this.batch.splice(0);
    this.batch_bytes = 0;
    for (let attempt = 1; ; attempt++)
      try {
        await drives.events.append(streamOf(this.drive_id), this.at, batch);
        break;
      } catch (error) {
        if (error instanceof WrongExpectedRevision)
          throw new ImportRefused(
            this.drive_id,
            `another process writes to its stream, which is at revision ${error.actual_revision}`,
            error.actual_revision,
          );
        if (!(error instanceof AppendOutcomeUnknown) || attempt === APPEND_RETRIES) throw error;
        await after(RETRY_MS);
      }
    this.at += batch.length;
  }

  private async tellFactory<Command>(
    definition: CommandDefinition<Command, unknown>,
    command: Command,
  ): Promise<void> {
    const outcome = await this.input.drives.commands.run(FACTORY_ID, definition, command, {
      credential: { kind: 'factory' },
      correlation_id: `import ${this.planned.header.export_id}`,
      reason: null,
      idempotency: null,
    });
    if (isRefused(outcome))
      throw new ImportRefused(this.drive_id, `the factory refuses it: ${outcome.refusal.refusal}`);
  }
}
