import { open, readFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { verifyFolder } from '../../../libs/engine/verify/folder.js';
import { type CheckedFile, checkFiles } from '../../../libs/proofs/check.js';
import { type Digest, parseDigest } from '../../../libs/proofs/digest.js';
import type { OpsCommand } from '../command.js';
import { EXIT, Failure } from '../failure.js';
import { openFolder } from '../stores.js';

export interface VerifyOptions {
  /** The installation's key, 32 bytes. */
  readonly publicKey?: Uint8Array;
  readonly dataDir?: string;
  /** Only these organizations of the folder. */
  readonly drive?: readonly string[];
}

/** Larger files are no digests. */
const MOST_DIGEST_CHARS = 64 * 1024;

/** `verify`: checks digests, proofs, exported streams and a data folder, without any server. */
export function verifyCommand(print: (line: string) => void = console.log): Command {
  return new Command('verify')
    .description(
      'Check digests, proofs and exported streams, alone and against each other; and a data folder, which is ' +
        'only read. Ends with 1 if anything does not fit.',
    )
    .argument('[files...]', 'JSON files as the API answered them, or streams as NDJSON')
    .option('--public-key <base64>', 'the installation’s key, as you know it', parseKey)
    .option('--data-dir <folder>', 'verify every stream and snapshot of this data folder')
    .option('--drive <ids...>', 'only these organizations of the folder')
    .action(async (files: string[], options: VerifyOptions, command: Command) => {
      if (files.length === 0 && !options.dataDir) command.error('Name files or --data-dir.');
      if (!(await verify(files, options, print)))
        throw new Failure('Something does not fit.', EXIT.refused);
    });
}

export const verifying: OpsCommand = (program, { terminal }) => {
  program.addCommand(verifyCommand((line) => terminal.out(`${line}\n`)));
};

/** Prints a line for everything checked; true if all of it fits. */
export async function verify(
  files: readonly string[],
  { publicKey, dataDir, drive }: VerifyOptions,
  print: (line: string) => void,
): Promise<boolean> {
  let is_well = true;
  const tell = (ok: boolean, about: string, says: string): void => {
    is_well &&= ok;
    print(`${ok ? 'ok ' : 'BAD'}  ${about}: ${says}`);
  };
  const checked: CheckedFile[] = files.map((name) => ({ name, lines: linesOf(name) }));
  const findings = await checkFiles(checked, publicKey ? { public_key: publicKey } : {});
  for (const { file, ok, says } of findings) tell(ok, file, says);
  if (!dataDir) return is_well;
  const digests = await digestsIn(files);
  const stores = openFolder(dataDir, process.env.MASTER_KEY);
  try {
    const input = { ...stores, digests, ...(drive && { drive_ids: drive }) };
    for await (const report of verifyFolder(input)) {
      const { drive_id, valid, checked_events, first_bad_revision, reason } = report;
      const where =
        first_bad_revision === null ? '' : ` First bad revision: ${first_bad_revision}.`;
      const well = `${checked_events} events, all hashes, keys and snapshots fit.`;
      tell(valid, drive_id, valid ? well : `${reason}${where}`);
    }
  } finally {
    await stores.close();
  }
  return is_well;
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const handle = await open(file);
  try {
    yield* handle.readLines();
  } finally {
    await handle.close();
  }
}

/** The digests among the files, to be held against the folder's streams. */
async function digestsIn(files: readonly string[]): Promise<Digest[]> {
  const digests: Digest[] = [];
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    if (text.length > MOST_DIGEST_CHARS) continue;
    try {
      const document = JSON.parse(text) as { ok?: { data?: unknown } };
      digests.push(parseDigest(document.ok?.data ?? document));
    } catch {
      // What is no digest has been told already.
    }
  }
  return digests;
}

function parseKey(text: string): Uint8Array {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new InvalidArgumentError('It must be the base64 of 32 bytes.');
  return key;
}
