/** Sentences that several families say. */
export const CODE = 'The redeem code in the body is the proof.';

export const PAGES =
  'Ordered by creation, then id. Cursors name a position, so pages neither repeat nor skip records ' +
  'while others come and go.';

export const IDENTITY =
  'BIP-39 phrase, Ed25519 at m/44h/223h/0h/0h/0h (SLIP-10) for the user id, m/44h/60h/0h/0/0 for the ' +
  'EVM account. Give secret_entropy or seed_phrase, not both; the same one gives the same identity. ' +
  'No record is touched.';

export const ADMIN = 'Needs a key that administers the factory.';

export const CLOSED = 'In closed mode a factory key is needed.';
