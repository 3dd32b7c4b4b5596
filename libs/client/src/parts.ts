/** A part of a content. */
export interface Part {
  readonly offset: number;
  readonly bytes: Blob;
  readonly is_last: boolean;
}

/** The parts of a content, at most one of them in memory. An empty content is one empty part. */
export async function* partsOf(
  content: Blob | Uint8Array | ReadableStream<Uint8Array>,
  part_bytes: number,
): AsyncGenerator<Part, void> {
  if (content instanceof ReadableStream) yield* streamedParts(content, part_bytes);
  else {
    const blob = content instanceof Blob ? content : new Blob([content as Uint8Array<ArrayBuffer>]);
    for (let offset = 0; ; offset += part_bytes) {
      const end = Math.min(offset + part_bytes, blob.size);
      const is_last = end === blob.size;
      yield { offset, bytes: blob.slice(offset, end), is_last };
      if (is_last) return;
    }
  }
}

async function* streamedParts(
  stream: ReadableStream<Uint8Array>,
  part_bytes: number,
): AsyncGenerator<Part, void> {
  const reader = stream.getReader();
  let pieces: Uint8Array[] = [];
  let offset = 0;
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (let rest = value; rest.byteLength > 0;) {
        // A full part is sent when more follows: only the last one says that it is.
        if (size === part_bytes) {
          yield { offset, bytes: blobOf(pieces), is_last: false };
          offset += size;
          pieces = [];
          size = 0;
        }
        const piece = rest.subarray(0, part_bytes - size);
        pieces.push(piece);
        size += piece.byteLength;
        rest = rest.subarray(piece.byteLength);
      }
    }
    yield { offset, bytes: blobOf(pieces), is_last: true };
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function blobOf(pieces: readonly Uint8Array[]): Blob {
  return new Blob(pieces as Uint8Array<ArrayBuffer>[]);
}
