import { createHash } from 'node:crypto';

/** Divides the drives into partitions, the same ones in every process. */
export class Partitions {
  /** @param form format of the read model */
  constructor(
    readonly count: number,
    private readonly form = '',
  ) {}

  /** Index of a drive's partition. */
  placeOf(drive_id: string): number {
    return createHash('sha256').update(drive_id).digest().readUInt32BE(0) % this.count;
  }

  /**
   * Name of the partition at an index. The name contains the number of partitions and the format of the read model,
   * so that their positions are separate.
   */
  nameOf(place: number): string {
    const name = `drives-${this.count}-${String(place).padStart(4, '0')}`;
    return this.form === '' ? name : `${name} ${this.form}`;
  }
}
