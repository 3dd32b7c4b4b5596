import type { Damage } from '../../../libs/engine/following/stream-damage.js';
import { exportedKeys, exportedParts, planExport } from '../../../libs/engine/transfer/export.js';
import { KeyFileWriter } from '../../../libs/engine/transfer/key-file.js';
import { lineOf } from '../../../libs/proofs/stream-file.js';
import { ONLY_DRIVES, type OpsCommand, working } from '../command.js';
import { EXIT, Failure } from '../failure.js';
import { NewFile, protectionOf, type SecretOptions } from '../output/files.js';
import { namedDrives, openStores, settingsOf, storeOptions, type StoreOptions } from '../stores.js';
import { table } from '../output/terminal.js';

interface Options extends StoreOptions, SecretOptions {
  readonly out: string;
  readonly drive?: readonly string[];
  readonly keys?: string;
  readonly to?: number;
}

export const exporting: OpsCommand = (program, surroundings) => {
  storeOptions(program.command('export'))
    .description('writes one organization, several, or all with the factory to a file')
    .requiredOption('--out <file>', 'the file to write; it must not exist')
    .option(...ONLY_DRIVES)
    .option(
      '--to <revision>',
      'only the events up to this revision; needs exactly one --drive',
      revision,
    )
    .option('--keys <file>', 'also write their keys, into a separate file')
    .option('--recipient <file>', 'public key (PEM; X25519 or RSA) of the recipient of the keys')
    .option('--passphrase-file <file>', 'file with a passphrase instead; else KEYS_PASSPHRASE')
    .option('--json', 'print the outcome as JSON')
    .action(async (options: Options, command) => {
      const { terminal } = surroundings;
      await working(surroundings, command, async (progress, signal) => {
        const protection = options.keys ? await protectionOf(options, terminal) : null;
        const stores = await openStores(settingsOf(options, terminal.env), 'read');
        const files: NewFile[] = [];
        try {
          const { events, side } = stores;
          const drive_ids = await namedDrives(stores, options.drive);
          if (options.to !== undefined && drive_ids?.length !== 1)
            throw new Failure('--to needs one --drive.', EXIT.usage);
          const plan = await planExport(events, { drive_ids, to: options.to });
          const out = await NewFile.begin(options.out);
          files.push(out);
          const keys = protection && (await NewFile.begin(options.keys!));
          if (keys) files.unshift(keys);
          const writer = protection && (await KeyFileWriter.begin(plan.export_id, protection));
          if (writer) await keys!.line(writer.header);
          const total = plan.streams.reduce((sum, stream) => sum + stream.events, 0);
          const parts = exportedParts(events, plan, {
            now: Date.now(),
            signal,
            progress: (done) => progress.at(done, total, 'export'),
            erased: async (drive_id, key_ids) => {
              if (!writer) return;
              const live = await exportedKeys(side.keys, drive_id, key_ids);
              for (const line of writer.add(drive_id, live)) await keys!.line(line);
            },
          });
          for await (const part of parts) await out.line(lineOf(part));
          if (writer) await keys!.line(writer.end());
          for (const file of files) await file.finish();
          // The keys first: events without their keys would look like a complete export.
          for (const file of files) await file.keep();
          const { export_id, streams, left_out } = plan;
          const data = { export_id, events: total, streams, left_out };
          const rows = streams.map(({ drive_id, events: count }) => [drive_id, count]);
          const text = (): string =>
            [table(['stream', 'events'], rows), ...omissions(left_out)].join('\n');
          return { data, text, is_bad: left_out.length > 0 };
        } finally {
          for (const file of files) await file.drop();
          await stores.close();
        }
      });
    });
};

/** Omitted organizations, and the consequence for the file. */
function omissions(left_out: readonly Damage[]): string[] {
  if (left_out.length === 0) return [];
  return [
    ...left_out.map(({ says }) => `OMITTED  ${says}`),
    'OMITTED  the factory’s stream with its gift cards, since it names the omitted organizations.',
  ];
}

function revision(text: string): number {
  const read = Number(text);
  if (Number.isSafeInteger(read) && read >= 0) return read;
  throw new Failure(`--to ${text} is not a revision.`, EXIT.usage);
}
