/** Sentences of operation descriptions that several families share. */
export const PAGES =
  'Ordered by creation time, then id. A cursor marks a position in this order, so pages neither repeat ' +
  'nor skip records when others are created or deleted.';

export const IDENTITY =
  'The identity derives from a BIP-39 phrase: the user id from the Ed25519 key at m/44h/223h/0h/0h/0h ' +
  '(SLIP-10), the EVM account from m/44h/60h/0h/0/0. Send secret_entropy or seed_phrase, not both; the ' +
  'same input gives the same identity. No record is changed.';

export const ADMIN = 'Requires an administrator key of the factory.';

export const CLOSED = 'In closed mode, requires a factory key.';
