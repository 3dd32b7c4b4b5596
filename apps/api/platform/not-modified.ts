/** Thrown for the answer 304: its headers are set already, and it has no body. */
export class NotModified extends Error {
  override readonly name = 'NotModified';
}
