import { createHash } from 'node:crypto';

/** Shares the drives out into so many partitions, the same ones in every process. */
export class Partitions {
  /** @param form of the read model that is brought up */
  constructor(
    readonly count: number,
    private readonly form = '',
  ) {}

  /** Place of a drive's partition. */
  placeOf(drive_id: string): number {
    return createHash('sha256').update(drive_id).digest().readUInt32BE(0) % this.count;
  }

  /**
   * What the partition at a place is called. Partitions of another number are other ones, and so are those
   * of another form of read model: how far one came says nothing of the other.
   */
  nameOf(place: number): string {
    const name = `drives-${this.count}-${String(place).padStart(4, '0')}`;
    return this.form === '' ? name : `${name} ${this.form}`;
  }
}
