import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { EventStore } from '../../event-store/port.js';
import type {
  AnyReadModel,
  Checkpoint,
  DocumentSource,
  ReadModel,
  StreamPlace,
} from '../../read-model/port.js';
import { foldOnto, hasEvent } from '../fold/fold.js';
import type { ProcessRole } from '../drives/role.js';
import type { StateLoader } from '../fold/loader.js';
import { randomUUID } from 'node:crypto';

/** Maximum attempts of a step while other processes change the same read model. */
const MOST_ATTEMPTS = 20;

export interface ProjectorServices {
  readonly events: EventStore;
  readonly loader: StateLoader;
  readonly read_model: AnyReadModel;
  readonly role: ProcessRole;
}

/** Rendered documents and their position in the stream. */
export interface Rendered {
  readonly place: StreamPlace;
  readonly source: DocumentSource;
}

/** Keeps a durable read model of one drive consistent with its state. */
export class Projector {
  /** Revision that the read model is known to have reached. */
  private projected = -1;
  /** Generation of this drive's read model. */
  generation = newGeneration();

  constructor(
    private readonly drive_id: string,
    private readonly services: ProjectorServices,
    private readonly read_model: ReadModel,
  ) {}

  /** True if the read model lags behind a revision, and this process must repair it. */
  isBehind(revision: number): boolean {
    return this.lagOf(revision) > 0;
  }

  /** Lag of the read model behind a revision, in events. */
  lagOf(revision: number): number {
    return this.services.role.maintains ? Math.max(0, revision - this.projected) : 0;
  }

  /** Resumes a read model at its checkpoint; the drive is at the same position. */
  resume({ generation, revision }: Checkpoint): void {
    this.generation = generation;
    this.projected = revision;
  }

  /** Switches to another generation at the same position. */
  adopt(generation: string): void {
    this.generation = generation;
  }

  /** Builds a new read model, unless another process has built an equally current one. */
  async build(rendered: Rendered): Promise<void> {
    if (this.services.role.maintains && !(await this.make(rendered))) await this.repair(rendered);
  }

  /** Advances the read model from one revision to a later position; `touched` are the records changed in between. */
  async follow(
    from_revision: number,
    touched: readonly TouchedKey[],
    rendered: Rendered,
  ): Promise<void> {
    const { drive_id, generation, projected, read_model } = this;
    if (!this.services.role.maintains) return;
    const { place, source } = rendered;
    // Another process may have activated a generation without this step.
    const from = { drive_id, generation, from_revision, if_active: true };
    const is_applied =
      projected === from_revision &&
      (await read_model.apply({ ...from, ...place, touched, source }));
    if (is_applied) this.projected = place.revision;
    else await this.repair(rendered);
  }

  /** Advances the read model to a position from any earlier one; rebuilds it if its history diverges. */
  async repair(rendered: Rendered): Promise<void> {
    const { drive_id, read_model } = this;
    const { place, source } = rendered;
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      const active = await read_model.checkpoint(drive_id);
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
    throw new Error(`the read model of ${drive_id} is continuously changed by other processes`);
  }

  /** Builds a generation and activates it; false if the active one is further ahead. */
  private async make({ place, source }: Rendered): Promise<boolean> {
    const { drive_id, read_model } = this;
    const generation = newGeneration();
    await read_model.build(drive_id, generation, place, source);
    const is_active = await read_model.activate(drive_id, generation);
    if (is_active) this.resume({ generation, ...place });
    else await read_model.sweep(drive_id, generation);
    return is_active;
  }

  /** True if the stream of our position contains the other position. */
  private async fits(other: StreamPlace, ours: StreamPlace): Promise<boolean> {
    if (other.revision === ours.revision)
      return Buffer.from(ours.event_hash).equals(other.event_hash);
    return hasEvent(this.services.events, this.drive_id, other);
  }

  /** Records changed after one revision, up to another, determined by folding. */
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

/** A unique name for a generation of read models; it contains its creation time. */
export function newGeneration(): string {
  return `${Date.now()}-${randomUUID()}`;
}
