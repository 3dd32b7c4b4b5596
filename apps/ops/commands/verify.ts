import { readFile, stat } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { verifyFolder } from '../../../libs/engine/verify/folder.js';
import { type CheckedFile, checkFiles } from '../../../libs/proofs/check.js';
import { type Digest, parseDigest } from '../../../libs/proofs/digest.js';
import { ONLY_DRIVES, type OpsCommand, working } from '../command.js';
import { EXIT, Failure } from '../failure.js';
import { linesOf } from '../output/files.js';
import type { Progress } from '../output/progress.js';
import { namedDrives, openStores, settingsOf, storeOptions, type StoreOptions } from '../stores.js';
import type { Terminal } from '../output/terminal.js';

export interface VerifyOptions extends StoreOptions {
  /** The installation's key, 32 bytes. */
  readonly publicKey?: Uint8Array;
  /** Only these organizations of the stores. */
  readonly drive?: readonly string[];
}

/** The result for a file or an organization. */
export interface Verdict {
  readonly about: string;
  readonly ok: boolean;
  /** A sentence. */
  readonly says: string;
}

/** Larger files are not digests. */
const MOST_DIGEST_BYTES = 64 * 1024;

/** `verify`: checks digests, proofs, exported streams and the stores, without any server. */
export const verifying: OpsCommand = (program, surroundings) => {
  storeOptions(program.command('verify'))
    .description(
      'Checks files: digests, proofs and exports, alone and against each other. Also checks the stores, every ' +
        'organization or those of --drive, if no file is named or if --drive, --data-dir or --settings is given. ' +
        'Writes nothing. Exits with 1 on a mismatch, or if nothing was checked.',
    )
    .argument('[files...]', 'JSON files from the API, or files from export')
    .option('--public-key <base64>', 'the installation’s key from a trusted source', parseKey)
    .option(...ONLY_DRIVES)
    .option('--json', 'print the findings as JSON')
    .action(async (files: string[], options: VerifyOptions, command: Command) => {
      await working(surroundings, command, async (progress, signal) => {
        const findings: Verdict[] = [];
        const { env } = surroundings.terminal;
        for await (const verdict of verify(files, options, env, progress, signal))
          findings.push(verdict);
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
  return `${ok ? 'ok ' : 'BAD'}  ${about}: ${says}`;
}

/** If only files are given, no stores are opened, unless an option names them. */
function meansStores(
  files: readonly string[],
  { dataDir, settings, drive }: VerifyOptions,
): boolean {
  return files.length === 0 || [dataDir, settings, drive].some((option) => option !== undefined);
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
  const findings = await checkFiles(checked, publicKey ? { public_key: publicKey } : {});
  for (const { file: about, ok, says } of findings) yield { about, ok, says };
  if (!meansStores(files, options)) return;
  const digests = await digestsIn(files);
  const stores = await openStores(settingsOf(options, env), 'read');
  try {
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
      const well = `${checked_events} events, all hashes, keys and snapshots fit.`;
      yield { about, ok, says: ok ? well : `${reason}${where}` };
    }
  } finally {
    await stores.close();
  }
}

/** The digests among the files, to be checked against the folder's streams. */
async function digestsIn(files: readonly string[]): Promise<Digest[]> {
  const digests: Digest[] = [];
  for (const file of files) {
    if ((await stat(file)).size > MOST_DIGEST_BYTES) continue;
    const text = await readFile(file, 'utf8');
    try {
      const document = JSON.parse(text) as { ok?: { data?: unknown } };
      digests.push(parseDigest(document.ok?.data ?? document));
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
