import { Pace } from '../tasks/turns.js';

/** Values per piece: few enough that writing or parsing one takes little time. */
export const PER_PIECE = 1000;
/** Separates pieces: JSON text contains none. */
const LINE_FEED = 10;

/** Writes values as pieces of JSON text, one per line, cooperatively. */
export async function writePieces<T>(
  items: readonly T[],
  written: (item: T) => unknown,
): Promise<Buffer> {
  const pace = new Pace();
  const pieces: Buffer[] = [];
  for (let at = 0; at < items.length; at += PER_PIECE) {
    const values = items.slice(at, at + PER_PIECE).map(written);
    pieces.push(Buffer.from(`${JSON.stringify(values)}\n`));
    if (pace.is_due) await pace.turn();
  }
  return Buffer.concat(pieces);
}

/** The texts of the pieces. */
export function piecesIn(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(LINE_FEED, at);
    if (end < 0) throw new Error('a piece has no end');
    pieces.push(bytes.subarray(at, end));
    at = end + 1;
  }
  return pieces;
}

/** All values, one after the other. */
export function* valuesIn<T>(bytes: Buffer): Generator<T> {
  for (const piece of piecesIn(bytes)) yield* JSON.parse(piece.toString()) as T[];
}
