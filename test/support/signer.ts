import { generateKeyPairSync } from 'node:crypto';
import { rawPublicKey } from '../../libs/identity/ed25519.js';
import { selfAuthenticatingPrincipal } from '../../libs/identity/principal.js';
import { makeSignatureToken } from '../../libs/identity/signature.js';
import type { Client, Organization } from './client.js';

/** Somebody with a key pair of their own, who signs in without an api key. */
export class Signer {
  private readonly key = generateKeyPairSync('ed25519').privateKey;
  readonly user_id = `UserID_${selfAuthenticatingPrincipal(rawPublicKey(this.key))}`;

  /** A client of the organization with a token signed now; tokens live for 30 s. */
  in(org: Organization, timestamp_ms = Date.now()): Client {
    return org.as(makeSignatureToken(this.key, { timestamp_ms }), this.user_id);
  }
}
