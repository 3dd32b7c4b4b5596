import { type Digest, flawOfDigest, parseDigest } from './digest.js';
import { Malformed, unwrapped } from './hashes.js';
import {
  type ConsistencyProof,
  type InclusionProof,
  flawOfConsistency,
  flawOfInclusion,
} from './merkle.js';
import { flawOfRecord, type RecordProof } from './record-proof.js';
import { BrokenFile, checkedParts, isStreamHeader, partsOf } from './stream-file.js';

/**
 * Checks files from the service, alone and against each other, without a server: digests, proofs, and exported streams
 * (see stream-file.ts).
 */

export interface CheckedFile {
  readonly name: string;
  /** The file line by line, without line ends. */
  readonly lines: AsyncIterable<string> | Iterable<string>;
}

interface CheckOptions {
  /** The installation's key, 32 bytes, from a trusted source; digests must be signed with it. */
  readonly public_key?: Uint8Array;
  /** The family that an id's prefix shows, undefined if it shows none; default: none. */
  readonly familyOf?: (record_id: string) => string | undefined;
}

export interface Finding {
  readonly file: string;
  readonly ok: boolean;
  /** A sentence. */
  readonly says: string;
}

interface Stream {
  readonly file: string;
  readonly drive_id: string;
  /** Hash of the last event and root of the log at the sizes of the digests at hand. */
  readonly known: Map<number, { chain_hash: string; log_root: string }>;
}

/** A root or hash in a file, to be compared with digests of the same size. */
interface Claim {
  readonly file: string;
  readonly drive_id: string;
  readonly size: number;
  readonly member: 'log_root' | 'state_hash';
  readonly value: string;
  /** So many first events of the log must be those of a digest. */
  readonly needs: number;
  /** Its file holds without it: a later log may go on as anybody likes. */
  readonly is_optional?: true;
}

/** The root of a log of so many events. */
interface Root {
  readonly drive_id: string;
  readonly size: number;
  readonly value: string;
}

/** A later log that begins with an earlier one, by a valid proof. */
interface Link {
  readonly from: Root;
  readonly to: Root;
}

interface Desk {
  readonly digests: { file: string; digest: Digest }[];
  readonly claims: Claim[];
  readonly links: Link[];
  readonly streams: Stream[];
  readonly findings: Finding[];
}

/** Checks all files; digests first, since all others are compared with them. */
export async function checkFiles(
  files: readonly CheckedFile[],
  options: CheckOptions = {},
): Promise<Finding[]> {
  const desk: Desk = { digests: [], claims: [], links: [], streams: [], findings: [] };
  const waiting: { file: string; lines: AsyncIterable<string> }[] = [];
  for (const { name, lines } of files) {
    const source = iteratorOf(lines);
    try {
      const opened = await open(source);
      if ('lines' in opened) waiting.push({ file: name, ...opened });
      else checkDocument(desk, name, opened.document, options);
    } catch (error) {
      desk.findings.push(bad(name, sentenceOf(error)));
    }
  }
  for (const { file, lines } of waiting)
    try {
      await checkStreams(desk, file, lines);
    } catch (error) {
      desk.findings.push(bad(file, sentenceOf(error)));
    }
  compare(desk);
  return desk.findings;
}

/** The first line identifies a file of streams; any other file is one document. */
async function open(
  source: AsyncGenerator<string>,
): Promise<{ document: unknown } | { lines: AsyncIterable<string> }> {
  const { value: line = '', done } = await source.next();
  if (!done && isStreamHeader(parsed(line))) return { lines: withFirst(line, source) };
  const lines = [line as string];
  for await (const next of source) lines.push(next);
  const document = parsed(lines.join('\n'));
  if (document === undefined) throw new Malformed('it is not JSON');
  return { document };
}

async function* withFirst(line: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield line;
  yield* rest;
}

function checkDocument(
  { findings, digests, claims, links }: Desk,
  file: string,
  document: unknown,
  { public_key, familyOf = () => undefined }: CheckOptions,
): void {
  const data = unwrapped(document);
  if ('signature' in data) {
    const digest = parseDigest(data);
    const flaw = flawOfDigest(digest, public_key);
    if (!flaw) digests.push({ file, digest });
    const trust = public_key ? 'the given key' : 'the key in it';
    const what = `digest of ${digest.drive_id} at revision ${digest.revision}`;
    findings.push(verdict(file, what, flaw, `signed with ${trust}`));
  } else if ('bucket_path' in data) {
    const proof = data as unknown as RecordProof;
    const { drive_id, revision, family, record_id, state_hash: value } = proof;
    const kind = proof.exists ? 'presence' : 'absence';
    const what = `${kind} of ${family} ${record_id} in ${drive_id} at revision ${revision}`;
    const flaw = flawOfRecord(proof) ?? flawOfFamily(proof, familyOf(record_id));
    findings.push(verdict(file, what, flaw, `leads to its state_hash`));
    const size = revision + 1;
    claims.push({ file, drive_id, size, member: 'state_hash', value, needs: size });
  } else if ('from_root' in data) {
    const proof = data as unknown as ConsistencyProof;
    const { drive_id, from, from_root, to, to_root } = proof;
    const what = `consistency of sizes ${from} and ${to} of ${drive_id}`;
    const flaw = flawOfConsistency(proof);
    findings.push(verdict(file, what, flaw, 'the later log begins with the earlier'));
    const earlier = { drive_id, size: from, value: from_root };
    const later = { drive_id, size: to, value: to_root };
    if (!flaw) links.push({ from: earlier, to: later });
    claims.push({ file, ...earlier, member: 'log_root', needs: from });
    claims.push({ file, ...later, member: 'log_root', needs: to, is_optional: true });
  } else if ('event_hash' in data) {
    const proof = data as unknown as InclusionProof;
    const { drive_id, revision, size, log_root: value } = proof;
    const what = `event ${revision} in the log of ${drive_id} of size ${size}`;
    findings.push(verdict(file, what, flawOfInclusion(proof), 'leads to its log_root'));
    claims.push({ file, drive_id, size, member: 'log_root', value, needs: revision + 1 });
  } else throw new Malformed('it is not a digest, proof or stream');
}

/** A record of one family is in no other, so its absence there says nothing of it. */
function flawOfFamily(proof: RecordProof, own: string | undefined): string | null {
  const { family, record_id, drive_id } = proof;
  const is_organization = family === 'organization' && record_id === drive_id;
  if (own === undefined || own === family || is_organization) return null;
  return `${record_id} is an id of ${own}, not of ${family}`;
}

async function checkStreams(
  { digests, streams, findings }: Desk,
  file: string,
  lines: AsyncIterable<string>,
): Promise<void> {
  const sizes = new Set(digests.map(({ digest }) => digest.size));
  let known: Stream['known'] = new Map();
  const parts = checkedParts(partsOf(lines), (checker) => {
    // The root costs hashes.
    if (!sizes.has(checker.size)) return;
    known.set(checker.size, {
      chain_hash: checker.chain_hash.toString('hex'),
      log_root: checker.log_root.toString('hex'),
    });
  });
  for await (const part of parts) {
    if (part.kind !== 'end') continue;
    const { drive_id, events } = part.end;
    streams.push({ file, drive_id, known });
    known = new Map();
    const says = `stream of ${drive_id}: ${events} events, each with the hash that fits`;
    findings.push({ file, ok: true, says });
  }
}

/** Compares the claims of all files about the same log. */
function compare(desk: Desk): void {
  const { digests, claims, streams, findings } = desk;
  for (const { file, digest } of digests) {
    const { drive_id, size } = digest;
    for (const stream of streams.filter((one) => one.drive_id === drive_id)) {
      const found = stream.known.get(size);
      const is_there =
        found?.chain_hash === digest.chain_hash && found.log_root === digest.log_root;
      const says = `${stream.file} ${is_there ? 'contains' : 'does not contain'} what it names`;
      findings.push({ file, ok: is_there, says: `digest: ${says}` });
    }
    for (const claim of claims) {
      if (!isOfDigest(claim, digest)) continue;
      const fits = digest[claim.member] === claim.value;
      const says = `its ${claim.member} ${fits ? 'is' : 'is not'} that of the digest ${file}`;
      findings.push({ file: claim.file, ok: fits, says });
    }
    for (const other of digests) {
      if (other.digest.drive_id !== drive_id || other.digest.size !== size) continue;
      if (other.digest.log_root === digest.log_root || other.file <= file) continue;
      findings.push(bad(other.file, `it shows a diverging history of the same size as ${file}`));
    }
  }
  for (const file of unknownExports(desk))
    findings.push(bad(file, 'no digest given is of an organization in it'));
  for (const { file, drive_id, member, size, is_optional = false } of uncovered(desk)) {
    const says = `no digest given covers its ${member} of ${drive_id} at revision ${size - 1}`;
    findings.push({ file, ok: is_optional, says });
  }
}

/** True if a digest is of the log or state that a claim is about. */
function isOfDigest(claim: Claim, digest: Digest): boolean {
  const { drive_id, size } = digest;
  return claim.drive_id === drive_id && claim.size === size && digest[claim.member] !== null;
}

/** If there are digests, the exports of other organizations alone. */
function unknownExports({ digests, streams }: Desk): Set<string> {
  if (digests.length === 0) return new Set();
  const drives = new Set(digests.map(({ digest }) => digest.drive_id));
  const known = streams.filter(({ drive_id }) => drives.has(drive_id));
  return new Set(streams.map(({ file }) => file)).difference(
    new Set(known.map(({ file }) => file)),
  );
}

/**
 * If there are digests, the claims that none covers. A digest covers the log up to its revision, but the state of that
 * revision only.
 */
function uncovered({ digests, claims, links }: Desk): Claim[] {
  if (digests.length === 0) return [];
  const known = knownEvents(digests, links);
  return claims.filter((claim) => {
    if (digests.some(({ digest }) => isOfDigest(claim, digest))) return false;
    return claim.member === 'state_hash' || (known.get(keyOf(claim)) ?? 0) < claim.needs;
  });
}

/**
 * How many first events of a log are those of a digest, by its root. A digest names all events of its own log. A link
 * leads back to any log before it; forward it says nothing of the events that follow, which anybody could have invented.
 */
function knownEvents(digests: Desk['digests'], links: readonly Link[]): Map<string, number> {
  const known = new Map<string, number>();
  let is_more = true;
  const learn = (root: Root, events: number): void => {
    const key = keyOf(root);
    if (events <= (known.get(key) ?? 0)) return;
    known.set(key, events);
    is_more = true;
  };
  for (const { digest } of digests) learn({ ...digest, value: digest.log_root }, digest.size);
  while (is_more) {
    is_more = false;
    for (const { from, to } of links) {
      learn(to, known.get(keyOf(from)) ?? 0);
      learn(from, Math.min(from.size, known.get(keyOf(to)) ?? 0));
    }
  }
  return known;
}

function keyOf({ drive_id, size, value }: Root): string {
  return `${drive_id} ${size} ${value}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function verdict(file: string, what: string, flaw: string | null, well: string): Finding {
  return flaw ? bad(file, `${what}: ${flaw}`) : { file, ok: true, says: `${what}: ${well}` };
}

function bad(file: string, says: string): Finding {
  return { file, ok: false, says };
}

function sentenceOf(error: unknown): string {
  if (error instanceof Malformed || error instanceof BrokenFile) return error.message;
  if (error instanceof RangeError) return 'it is nested too deeply';
  throw error;
}

async function* iteratorOf(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  yield* lines;
}
