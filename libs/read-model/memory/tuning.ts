/** Thresholds between algorithms. They affect cost, never answers. */
export interface Tuning {
  /**
   * Maximum records of a block, at least 2: large enough that few blocks are searched, small enough to join again.
   */
  readonly block_records: number;
  /** Minimum records of a block whose grams are kept (see grams.ts). */
  readonly gram_records: number;
  /** Documents indexed, or texts joined in whole blocks, before yielding to the event loop. */
  readonly documents_per_turn: number;
  /** Cost of looking up, testing and ranking a candidate, in entries of a scan through all blocks. */
  readonly candidate_cost: number;
  /** The same if the candidate's own text must be found and searched. */
  readonly candidate_text_cost: number;
}

/** Measured approximately at 100,000 records. */
export const DEFAULT_TUNING: Tuning = {
  block_records: 1024,
  gram_records: 512,
  documents_per_turn: 128,
  candidate_cost: 16,
  candidate_text_cost: 64,
};
