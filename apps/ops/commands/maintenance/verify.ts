import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { StoreUnavailable } from '../../../../libs/event-store/port.js';
import { RECORD_KINDS } from '../../../../libs/domain/drive/record-kinds.js';
import { Contents } from '../../../../libs/engine/contents/contents.js';
import { type ContentFlaw, verifyContents } from '../../../../libs/engine/contents/verify.js';
import { FACTORY_ID } from '../../../../libs/engine/fold/fold.js';
import { drivesOf, verifyFolder } from '../../../../libs/engine/verify/folder.js';
import { type CheckedFile, checkFiles } from '../../../../libs/proofs/check.js';
import { provenContent } from '../../../../libs/proofs/content.js';
import { Malformed, unwrapped } from '../../../../libs/proofs/hashes.js';
import { type Digest, flawOfDigest, parseDigest } from '../../../../libs/proofs/digest.js';
import { ONLY_DRIVES, type OpsCommand, working } from '../../command.js';
import { EXIT, Failure } from '../../failure.js';
import { linesOf } from '../../output/files.js';
import type { Progress } from '../../output/progress.js';
import { inLine, type Terminal } from '../../output/terminal.js';
import {
  namedDrives,
  openStores,
  settingsOf,
  storeOptions,
  type StoreOptions,
} from '../../stores.js';
import { damagedCaches, damagedCacheText } from '../../../../libs/stores/damaged-files.js';
import { type Stores, withOwnCaches } from '../../../../libs/stores/open.js';

interface VerifyOptions extends StoreOptions {
  /** The installation's key, 32 bytes. */
  readonly publicKey?: Uint8Array;
  /** Only these organizations of the stores. */
  readonly drive?: readonly string[];
  /** A local file, and the record proof that must prove its content. */
  readonly file?: string;
  readonly proof?: string;
  /** Also the stored bytes of files. */
  readonly content?: boolean;
}

/** The result for a file or an organization. */
interface Verdict {
  readonly about: string;
  readonly ok: boolean;
  /** A sentence. */
  readonly says: string;
  /** Of a content that is not what was stored. */
  readonly content?: ContentFlaw;
}

/** Larger files are not digests. */
const MOST_DIGEST_BYTES = 64 * 1024;

/** `verify`: checks digests, proofs, exported streams and the stores, without any server. */
export const verifying: OpsCommand = (program, surroundings) => {
  storeOptions(program.command('verify'))
    .description(
      'Checks files: digests, proofs and exports, alone and against each other. Also checks the stores, every ' +
        'organization or those of --drive, if no file is named or if --drive, --data-dir, --settings or --content ' +
        'is given. ' +
        'Writes nothing. Exits with 1 on a mismatch, or if nothing was checked.',
    )
    .argument('[files...]', 'JSON files from the API, or files from export')
    .option('--public-key <base64>', 'the installation’s key from a trusted source', parseKey)
    .option(...ONLY_DRIVES)
    .option('--file <path>', 'a local file that must be the content of the file of --proof')
    .option('--proof <file>', 'the record proof of a file, from organization/record_proof')
    .option('--content', 'also read and check all stored content of files')
    .option('--json', 'print the findings as JSON')
    .action(async (named: string[], options: VerifyOptions, command: Command) => {
      const { file, proof } = options;
      if ((file === undefined) !== (proof === undefined))
        throw new Failure('--file and --proof are given together.', EXIT.usage);
      const files = proof === undefined ? named : [...named, proof];
      await working(surroundings, command, async (progress, signal) => {
        const { env } = surroundings.terminal;
        const findings = await Array.fromAsync(verify(files, options, env, progress, signal));
        if (findings.length === 0)
          throw new Failure('Nothing was checked: the stores hold no events.', EXIT.refused);
        return {
          data: { findings },
          text: () => findings.map(lineOf).join('\n'),
          is_bad: findings.some(({ ok }) => !ok),
        };
      });
    });
};

function lineOf({ ok, about, says }: Verdict): string {
  return `${ok ? 'ok ' : 'BAD'}  ${inLine(about)}: ${inLine(says)}`;
}

/** If only files are given, no stores are opened, unless an option names them. */
function meansStores(
  files: readonly string[],
  { dataDir, settings, drive, content }: VerifyOptions,
): boolean {
  const named = [dataDir, settings, drive, content];
  return files.length === 0 || named.some((option) => option !== undefined);
}

async function* verify(
  files: readonly string[],
  options: VerifyOptions,
  env: Terminal['env'],
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<Verdict> {
  const { publicKey } = options;
  const checked: CheckedFile[] = files.map((name) => ({ name, lines: linesOf(name) }));
  const findings = await checkFiles(checked, {
    ...(publicKey && { public_key: publicKey }),
    familyOf: (record_id) => RECORD_KINDS.familyOf(record_id),
  });
  for (const { file: about, ok, says } of findings) yield { about, ok, says };
  const digests = await digestsIn(files);
  if (options.file !== undefined) {
    const valid = digests.filter((digest) => !flawOfDigest(digest, publicKey));
    yield await verifyFile(options.file, options.proof!, valid);
  }
  if (!meansStores(files, options)) return;
  const settings = settingsOf(options, env);
  const opened = await openStores(settings, 'read');
  try {
    const damaged = damagedCaches(settings);
    for (const cache of damaged)
      yield { about: cache.path, ok: false, says: damagedCacheText(cache) };
    const stores = damaged.length > 0 ? withOwnCaches(opened) : opened;
    const drive = await namedDrives(stores, options.drive);
    const reports = verifyFolder({
      ...{ ...stores, digests, ...(drive && { drive_ids: drive }) },
      signal,
      progress: (about, done, events) => progress.at(done, events, `verify ${about}`),
    });
    for await (const report of reports) {
      const { drive_id: about, valid: ok, checked_events, first_bad_revision, reason } = report;
      const where =
        first_bad_revision === null ? '' : ` First bad revision: ${first_bad_revision}.`;
      const well = report.is_without_keys
        ? `${checked_events} events, all hashes, snapshots and the index of events fit. It was imported without keys: ` +
          'sealed fields were not checked.'
        : `${checked_events} events, all hashes, keys, snapshots and the index of events fit.`;
      yield { about, ok, says: ok ? well : `${reason}${where}` };
    }
    if (options.content) yield* verifyContent(stores, drive, progress, signal);
  } finally {
    await opened.close();
  }
}

/**
 * Compares the SHA-256 of a local file with the one that a record proof proves. Without a digest of its revision, anybody
 * could have made the proof.
 */
async function verifyFile(
  file: string,
  proof: string,
  digests: readonly Digest[],
): Promise<Verdict> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  const sha256 = hash.digest('hex');
  try {
    const proven = provenContent(JSON.parse(await readFile(proof, 'utf8')));
    const { drive_id, file_id, version_id, revision, state_hash } = proven;
    const of = `${file_id} (${version_id}) of ${drive_id} at revision ${revision}`;
    if (proven.sha256 !== sha256) {
      const says = `It has the SHA-256 ${sha256}; the content of ${of} had ${proven.sha256}.`;
      return { about: file, ok: false, says };
    }
    const isProven = (digest: Digest): boolean =>
      digest.drive_id === drive_id &&
      digest.revision === revision &&
      digest.state_hash === state_hash;
    const ok = digests.length === 0 || digests.some(isProven);
    const condition = digests.length === 0 ? ', if its state_hash is that of a signed digest' : '';
    const says = ok
      ? `It was the content of ${of}, by ${proof}${condition}: SHA-256 ${sha256}.`
      : `${proof} does not prove that it was the content of ${of}: no valid digest given has the state of that revision.`;
    return { about: file, ok, says };
  } catch (error) {
    if (!(error instanceof Malformed || error instanceof SyntaxError)) throw error;
    return {
      about: file,
      ok: false,
      says: `${proof} does not prove its content: ${error.message}.`,
    };
  }
}

/** Reads all stored content of the organizations. */
async function* verifyContent(
  { events, side, contents: store }: Stores,
  named: readonly string[] | undefined,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<Verdict> {
  const contents = new Contents(store, side.keys);
  for (const drive_id of named ?? (await drivesOf(events))) {
    if (drive_id === FACTORY_ID) continue;
    try {
      const { flaws, ...checked } = await verifyContents({
        ...{ drive_id, events, contents, signal },
        progress: (bytes, total) => progress.at(bytes, total, `content of ${drive_id}`),
      });
      for (const flaw of flaws)
        yield { about: drive_id, ok: false, says: flawText(flaw), content: flaw };
      const of = `${checked.contents} contents, ${checked.bytes} bytes`;
      const says = flaws.length === 0 ? `${of}: all fit.` : `${of}: ${flaws.length} are damaged.`;
      yield { about: drive_id, ok: flaws.length === 0, says };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof StoreUnavailable) throw error;
      const why = error instanceof Error ? error.message : String(error);
      yield { about: drive_id, ok: false, says: `Its content cannot be checked: ${why}.` };
    }
  }
}

function flawText(flaw: ContentFlaw): string {
  const { content_id, file_id, version_id, other_versions, problem } = flaw;
  const others = other_versions > 0 ? ` (and ${other_versions} other versions)` : '';
  return `${content_id} of ${file_id}, ${version_id}${others}, ${problem}.`;
}

/** The digests among the files, to be checked against the folder's streams. */
async function digestsIn(files: readonly string[]): Promise<Digest[]> {
  const digests: Digest[] = [];
  for (const file of files) {
    if ((await stat(file)).size > MOST_DIGEST_BYTES) continue;
    const text = await readFile(file, 'utf8');
    try {
      digests.push(parseDigest(unwrapped(JSON.parse(text))));
    } catch {
      // Files that are not digests have been reported already.
    }
  }
  return digests;
}

function parseKey(text: string): Uint8Array {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new InvalidArgumentError('It must be the base64 of 32 bytes.');
  return key;
}
