import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { Box, ERASED, type Opener, SEALED, type Sealed } from '../../domain/kernel/sealed.js';
import { canonicalJson } from '../proofs/hashing.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The keys of one drive while it is in memory: seals fields into boxes and opens them again.
 * AES-256-GCM; the drive's and the key's id are bound to every box. Keys are given to ciphers as key objects: of
 * bytes Node first finds out, by an exception, that they are none, which takes five times as long as the rest.
 */
export class Keyring {
  private readonly keys: Map<string, Uint8Array>;
  private readonly made = new Map<string, Uint8Array>();
  /** Keys that were destroyed: what they sealed is gone, not merely closed. */
  private readonly destroyed = new Set<string>();
  private opened = new WeakMap<Box, Record<string, unknown>>();

  constructor(
    private readonly drive_id: string,
    keys: ReadonlyMap<string, Uint8Array>,
    /** True if the drive has sealed fields and its keys are not here: then nothing can be sealed. */
    readonly is_foreign = false,
  ) {
    this.keys = new Map(keys);
  }

  /** Seals fields into one box. A key that does not exist yet is made; `unsaved` names it. */
  seal(key_id: string, fields: Readonly<Record<string, unknown>>): Box {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', createSecretKey(this.keyFor(key_id)), nonce);
    cipher.setAAD(this.bound(key_id));
    const sealed = [nonce, cipher.update(canonicalJson(fields), 'utf8'), cipher.final()];
    const box = new Box(key_id, Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64'));
    this.opened.set(box, fields);
    return box;
  }

  /** Opens a sealed field; gives any other value back as it is. */
  readonly open: Opener = <T>(value: Sealed<T>, field: string): T => {
    if (!(value instanceof Box)) return value;
    const fields = this.fieldsOf(value);
    if (fields) return fields[field] as T;
    return (this.destroyed.has(value.key_id) ? ERASED : SEALED) as T;
  };

  /** True if boxes under this key can be opened. */
  has(key_id: string): boolean {
    return this.keys.has(key_id);
  }

  /** Keys made by `seal` that must be stored durably before any event that uses them. */
  get unsaved(): ReadonlyMap<string, Uint8Array> {
    return new Map(this.made);
  }

  /** Notes that keys are stored. Until then they stay unsaved, however often storing them fails. */
  saved(key_ids: Iterable<string>): void {
    for (const key_id of key_ids) this.made.delete(key_id);
  }

  /** A place in the making of keys to come back to. */
  mark(): number {
    return this.made.size;
  }

  /** Unmakes the keys made since the mark: what was sealed under them is thrown away too. */
  undoTo(mark: number): void {
    for (const key_id of [...this.made.keys()].slice(mark)) {
      this.made.delete(key_id);
      this.keys.delete(key_id);
    }
  }

  /** Takes in a key that stands in the vault; it replaces one made here under the same id. */
  learn(key_id: string, key: Uint8Array): void {
    this.keys.set(key_id, key);
    this.made.delete(key_id);
    this.destroyed.delete(key_id);
  }

  /** Forgets destroyed keys and everything opened with them. */
  forget(key_ids: readonly string[]): void {
    for (const key_id of key_ids) {
      this.destroyed.add(key_id);
      this.keys.get(key_id)?.fill(0);
      this.keys.delete(key_id);
      this.made.delete(key_id);
    }
    this.opened = new WeakMap();
  }

  private fieldsOf(box: Box): Record<string, unknown> | null {
    const known = this.opened.get(box);
    if (known) return known;
    const key = this.keys.get(box.key_id);
    if (!key) return null;
    const bytes = Buffer.from(box.text, 'base64');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), nonce);
    decipher.setAAD(this.bound(box.key_id));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)),
      decipher.final(),
    ]);
    const fields = JSON.parse(text.toString('utf8')) as Record<string, unknown>;
    this.opened.set(box, fields);
    return fields;
  }

  private keyFor(key_id: string): Uint8Array {
    const held = this.keys.get(key_id);
    if (held) return held;
    // A new key under the name of the missing one would make what lies under that unreadable for good.
    if (this.is_foreign) throw new Error(`the key ${key_id} of ${this.drive_id} is not here`);
    const made = randomBytes(32);
    this.keys.set(key_id, made);
    this.made.set(key_id, made);
    return made;
  }

  private bound(key_id: string): Buffer {
    return Buffer.from(`${this.drive_id}\n${key_id}`);
  }
}
