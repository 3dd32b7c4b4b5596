/** Refusals that several families share; `apps/api/refusals.ts` has their texts. */
export type SharedRefusal =
  | 'token-missing'
  | 'token-malformed'
  /** An invalid key or signature; unknown, revoked and expired are not distinguished. */
  | 'unauthenticated'
  | 'forbidden'
  | 'resource-not-found'
  | 'unknown-id'
  | 'invalid-field'
  | 'nothing-to-update'
  | 'id-in-use'
  | 'redeem-code-invalid'
  | 'not-redeemable'
  | 'external-id-in-use'
  | 'precondition-failed'
  | 'idempotency-key-reused'
  | 'point-out-of-range'
  | 'chain-broken'
  | 'too-many-records'
  | 'answer-too-large'
  | 'refused-before'
  | 'snapshot-too-large'
  | 'too-large';

/** Refusals of single families, by declaration merging; each family has their texts. */
export interface FamilyRefusals {}

/** Reasons of refusals of commands and queries. Domain code returns refusals, it never throws them. */
export type RefusalCode = SharedRefusal | keyof FamilyRefusals;

/** The public form of a refusal: its slug, HTTP status and message. */
export interface RefusalText {
  readonly type: string;
  readonly status: number;
  readonly title: string;
}
export type RefusalTexts = Readonly<Record<string, RefusalText>>;

/** The text for an id that no record has. */
export function notFound<Slug extends string>(slug: Slug, noun: string = slug) {
  return { type: `${slug}.not-found`, status: 404, title: `There is no such ${noun}.` } as const;
}

/** Codes of a table of texts, for declaration merging. */
export type Coded<Texts> = { readonly [Code in keyof Texts]: true };

/** An invalid field: a JSON pointer into the body and a readable reason. */
export interface RefusalDetail {
  readonly pointer: string;
  readonly reason: string;
  readonly limit?: number;
}

export interface Refusal {
  readonly refusal: RefusalCode;
  readonly details: readonly RefusalDetail[];
}

export function refuse(refusal: RefusalCode, ...details: RefusalDetail[]): Refusal {
  return { refusal, details };
}

export function refuseField(pointer: string, reason: string, limit?: number): Refusal {
  return refuse(
    'invalid-field',
    limit === undefined ? { pointer, reason } : { pointer, reason, limit },
  );
}

export function isRefusal(value: object): value is Refusal {
  return 'refusal' in value;
}

/** The refusal of a client-chosen id that a record has, or a deleted one had. */
export function refuseIdInUse(): Refusal {
  return refuse('id-in-use', { pointer: '/id', reason: 'is already used in this drive' });
}

/** The refusal of a command on too many records or items. @param has such as `has 60000 files` */
export function refuseItems(has: string, limit: number): Refusal {
  const reason = `${has}; one command takes at most ${limit}`;
  return refuse('too-many-items', { pointer: '/id', reason, limit });
}
