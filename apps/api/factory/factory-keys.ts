import { Inject, Injectable } from '@nestjs/common';
import type { FactoryKey } from '../../../libs/domain/access/caller.js';
import { PREFIX } from '../../../libs/domain/kernel/ids.js';
import { sha256Hex } from '../../../libs/engine/proofs/hashing.js';
import { Settings } from '../platform/settings/settings.js';

/** Characters of a key's digest that identify the key in events. */
const NAME_CHARS = 32;

/** The keys of the factory, stored as digests. A key in both lists is an administrator key. */
@Injectable()
export class FactoryKeys {
  private readonly by_digest: ReadonlyMap<string, FactoryKey>;

  constructor(@Inject(Settings) { factory_keys, factory_admin_keys }: Settings) {
    this.by_digest = new Map([
      ...factory_keys.map((digest) => [digest, keyOf(digest, false)] as const),
      ...factory_admin_keys.map((digest) => [digest, keyOf(digest, true)] as const),
    ]);
  }

  /** Returns the factory key of a token; null if the token is not one. */
  of(token: string): FactoryKey | null {
    return this.by_digest.get(sha256Hex(token)) ?? null;
  }
}

function keyOf(digest: string, is_admin: boolean): FactoryKey {
  return { id: PREFIX.factory_api_key + digest.slice(0, NAME_CHARS), is_admin };
}
