/** Times by slot, with bounds of the times of each zone of adjacent slots. */
export class TimeColumn {
  private values: Float64Array = new Float64Array(64);
  private lows: Float64Array = new Float64Array(0);
  private highs: Float64Array = new Float64Array(0);

  /** @param zone_slots a multiple of 32 */
  constructor(readonly zone_slots: number) {}

  at(slot: number): number {
    return this.values[slot]!;
  }

  /** No time of the zone is or was lower. */
  low(zone: number): number {
    return this.lows[zone]!;
  }

  /** No time of the zone is or was higher. */
  high(zone: number): number {
    return this.highs[zone]!;
  }

  set(slot: number, time: number): void {
    if (slot >= this.values.length)
      this.values = enlarged(this.values, slot + (slot >>> 2) + 64, 0);
    this.values[slot] = time;
    const zone = Math.floor(slot / this.zone_slots);
    if (zone >= this.lows.length) {
      this.lows = enlarged(this.lows, zone + 8, Infinity);
      this.highs = enlarged(this.highs, zone + 8, -Infinity);
    }
    if (time < this.lows[zone]!) this.lows[zone] = time;
    if (time > this.highs[zone]!) this.highs[zone] = time;
  }
}

function enlarged(array: Float64Array, length: number, rest: number): Float64Array {
  const larger = new Float64Array(length);
  larger.set(array);
  if (rest !== 0) larger.fill(rest, array.length);
  return larger;
}
