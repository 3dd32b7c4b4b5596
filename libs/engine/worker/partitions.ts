import { createHash } from 'node:crypto';

/** Shares the drives out into so many partitions, the same ones in every process. */
export class Partitions {
  constructor(readonly count: number) {}

  /** Place of a drive's partition. */
  placeOf(drive_id: string): number {
    return createHash('sha256').update(drive_id).digest().readUInt32BE(0) % this.count;
  }

  /** What the partition at a place is called. Partitions of another number are other ones. */
  nameOf(place: number): string {
    return `drives-${this.count}-${String(place).padStart(4, '0')}`;
  }
}
