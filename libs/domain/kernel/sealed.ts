/**
 * Encrypted text in events and in the state. One box holds all fields that one event sealed under one key. A record's
 * field refers to the box, which contains its value under the field's name. Folding never decrypts: boxes are opened
 * only for authorized readers.
 */
export class Box {
  constructor(
    /** `drive` for the drive's data key, else the id of a subject's key. */
    readonly key_id: string,
    /** Base64 of nonce, ciphertext and tag. */
    readonly text: string,
  ) {}
}

/** A field that may be sealed. Empty values (`''`, null) are never sealed. */
export type Sealed<T> = T | Box;

/** Fields in clear, as in commands. */
export type Opened<T> = { [K in keyof T]: Exclude<T[K], Box> };

/** Shown in place of a field whose key was destroyed. */
export const ERASED = '[erased]';
/** Shown in place of a field whose key is missing: the drive was imported without it. */
export const SEALED = '[sealed]';

/** Returns the clear value of a field: `[erased]` if its key was destroyed, `[sealed]` if it is missing. */
export interface Opener {
  <T>(value: Sealed<T>, field: string): T;
}

/** Id of the key that seals a drive's secrets. */
export const DRIVE_KEY_ID = 'drive';
