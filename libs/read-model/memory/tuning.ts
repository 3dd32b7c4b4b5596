/** Where one way of answering becomes cheaper than another. No answer depends on it, only its cost. */
export interface Tuning {
  /** Most records of a block, at least 2: large enough that few are searched, small enough to join anew. */
  readonly block_records: number;
  /** Fewest records of a block whose grams are kept (see grams.ts). */
  readonly gram_records: number;
  /** Documents indexed, or texts joined in whole blocks, before the event loop gets a turn. */
  readonly documents_per_turn: number;
  /** Looking a candidate up, testing and ranking it, in entries passed by a scan through all blocks. */
  readonly candidate_cost: number;
  /** The same when the candidate's own text must be found and searched. */
  readonly candidate_text_cost: number;
}

/** Measured at 100,000 records, roughly. */
export const DEFAULT_TUNING: Tuning = {
  block_records: 1024,
  gram_records: 512,
  documents_per_turn: 128,
  candidate_cost: 16,
  candidate_text_cost: 64,
};
