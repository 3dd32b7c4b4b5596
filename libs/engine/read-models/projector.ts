import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { EventStore } from '../../event-store/port.js';
import type { Checkpoint, DocumentSource, ReadModel, StreamPlace } from '../../read-model/port.js';
import { foldOnto, streamOf } from '../fold/fold.js';
import type { ProcessRole } from '../drives/role.js';
import { newGeneration } from './generations.js';
import type { StateLoader } from '../fold/loader.js';

/** How often a step is tried anew while others move the same read model. */
const MOST_ATTEMPTS = 20;

export interface ProjectorServices {
  readonly events: EventStore;
  readonly loader: StateLoader;
  readonly read_model: ReadModel;
  readonly role: ProcessRole;
}

/** What a drive has become: its documents at a place of its stream. */
export interface Rendered {
  readonly place: StreamPlace;
  readonly source: DocumentSource;
}

/** Keeps the read model of one drive in step with its state. */
export class Projector {
  /** Revision up to which the read model is known to be. */
  private projected = -1;
  /** Generation of the read model that follows this drive. */
  generation = newGeneration();

  constructor(
    private readonly drive_id: string,
    private readonly services: ProjectorServices,
  ) {}

  /** True if the read model lacks something up to a revision, and it is this process's work to repair that. */
  isBehind(revision: number): boolean {
    return this.lagOf(revision) > 0;
  }

  /** How many revisions it lacks up to one. */
  lagOf(revision: number): number {
    return this.services.role.maintains ? Math.max(0, revision - this.projected) : 0;
  }

  /** Takes up a read model where it stands; the drive stands at the same place. */
  resume({ generation, revision }: Checkpoint): void {
    this.generation = generation;
    this.projected = revision;
  }

  /** Goes on with another generation, at the same place. */
  adopt(generation: string): void {
    this.generation = generation;
  }

  /** Makes the read model anew, unless another process has made one that is as far. */
  async build(rendered: Rendered): Promise<void> {
    if (this.services.role.maintains && !(await this.make(rendered))) await this.repair(rendered);
  }

  /** Brings the read model from one revision to a later place, where these records have changed on the way. */
  async follow(
    from_revision: number,
    touched: readonly TouchedKey[],
    rendered: Rendered,
  ): Promise<void> {
    const { drive_id, generation, projected } = this;
    const { read_model, role } = this.services;
    if (!role.maintains) return;
    const { place, source } = rendered;
    const step = { drive_id, generation, from_revision, ...place, touched, source };
    const is_applied = projected === from_revision && (await read_model.apply(step));
    // Another process may have switched to a generation that has not seen this step.
    if (is_applied && !(role.follows && read_model.durable)) this.projected = place.revision;
    else await this.repair(rendered);
  }

  /** Brings the read model to a place from wherever it stands; makes it anew if it is of another past. */
  async repair(rendered: Rendered): Promise<void> {
    const { drive_id, services } = this;
    const { read_model } = services;
    const { place, source } = rendered;
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      const active = read_model.durable ? await read_model.checkpoint(drive_id) : null;
      if (!active || !(await this.fits(active, place))) {
        await read_model.forget(drive_id);
        if (await this.make(rendered)) return;
        continue;
      }
      const { generation, revision: from_revision } = active;
      if (from_revision >= place.revision) return this.resume(active);
      const touched = await this.touchedSince(from_revision, place.revision);
      await read_model.apply({ drive_id, generation, from_revision, ...place, touched, source });
    }
    throw new Error(`the read model of ${drive_id} is moved by others all the time`);
  }

  /** Builds a generation and switches to it; false if the active one is further. */
  private async make({ place, source }: Rendered): Promise<boolean> {
    const { drive_id } = this;
    const { read_model } = this.services;
    const generation = newGeneration();
    await read_model.build(drive_id, generation, place, source);
    const is_active = await read_model.activate(drive_id, generation);
    if (is_active) this.resume({ generation, ...place });
    else await read_model.sweep(drive_id, generation);
    return is_active;
  }

  /** True if the stream, which leads to our place, leads to the other one too. */
  private async fits({ revision, event_hash }: StreamPlace, ours: StreamPlace): Promise<boolean> {
    const isHash = (hash: Uint8Array): boolean => Buffer.from(hash).equals(event_hash);
    if (revision === ours.revision) return isHash(ours.event_hash);
    const stream = streamOf(this.drive_id);
    const [event] = await this.services.events.readStream(stream, revision, 'forward', 1);
    return event !== undefined && isHash(event.hash);
  }

  /** Records that changed after one revision, up to another: folding tells. */
  private async touchedSince(from: number, to: number): Promise<readonly TouchedKey[]> {
    const { loader, events } = this.services;
    const { folded } = await loader.load(this.drive_id, { to: from });
    const touched = new Map<string, TouchedKey>();
    await foldOnto(folded, events, {
      to,
      touched(keys) {
        for (const key of keys) touched.set(`${key.family}\t${key.id}`, key);
      },
    });
    return [...touched.values()];
  }
}
