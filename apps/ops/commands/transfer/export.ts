import { resolve } from 'node:path';
import { Contents } from '../../../../libs/engine/contents/contents.js';
import { deletedSince, RecordedContents } from '../../../../libs/engine/contents/recorded.js';
import { streamOf } from '../../../../libs/engine/fold/fold.js';
import {
  type CopiedContents,
  copyContents,
  type OmittedContent,
} from '../../../../libs/engine/transfer/contents.js';
import { liesInData } from '../../../../libs/stores/backup/overlap.js';
import { ContentFolder, type Stores } from '../../../../libs/stores/open.js';
import type { Progress } from '../../output/progress.js';
import type { Damage } from '../../../../libs/engine/following/stream-damage.js';
import {
  exportedKeys,
  exportedParts,
  planExport,
} from '../../../../libs/engine/transfer/export.js';
import { KeyFileWriter } from '../../../../libs/engine/transfer/key-file.js';
import { lineOf } from '../../../../libs/proofs/stream-file.js';
import { ONLY_DRIVES, type OpsCommand, working } from '../../command.js';
import { EXIT, Failure } from '../../failure.js';
import { NewFile, protectionOf, type SecretOptions } from '../../output/files.js';
import {
  namedDrives,
  openStores,
  settingsOf,
  storeOptions,
  type StoreOptions,
} from '../../stores.js';
import { omissionText, table } from '../../output/terminal.js';

interface Options extends StoreOptions, SecretOptions {
  readonly out: string;
  readonly drive?: readonly string[];
  readonly keys?: string;
  readonly to?: number;
  readonly content?: string;
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
    .option('--content <folder>', 'also copy the content of their files, encrypted; needs --keys')
    .option('--recipient <file>', 'public key (PEM; X25519 or RSA) of the recipient of the keys')
    .option('--passphrase-file <file>', 'file with a passphrase instead; else KEYS_PASSPHRASE')
    .option('--json', 'print the outcome as JSON')
    .action(async (options: Options, command) => {
      const { terminal } = surroundings;
      if (options.content !== undefined && options.keys === undefined)
        throw new Failure('--content needs --keys: content is encrypted.', EXIT.usage);
      if (options.keys !== undefined && resolve(options.keys) === resolve(options.out))
        throw new Failure('--out and --keys must be two files.', EXIT.usage);
      // Before there is a line of progress, which would replace the question.
      const protection = options.keys ? await protectionOf(options, terminal) : null;
      await working(surroundings, command, async (progress, signal) => {
        const settings = settingsOf(options, terminal.env);
        if (options.content !== undefined && (await liesInData(options.content, settings.data_dir)))
          throw new Failure(
            `--content ${options.content} lies in the data folder ${settings.data_dir}; name another folder.`,
            EXIT.usage,
          );
        const stores = await openStores(settings, 'read');
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
          const recorded = new RecordedContents();
          let stream = '';
          for await (const part of parts) {
            if (part.kind === 'header') stream = streamOf(part.header.drive_id);
            if (part.kind === 'event') recorded.note(stream, part.event);
            await out.line(lineOf(part));
          }
          const contents =
            options.content === undefined
              ? null
              : await exportContents(
                  options.content,
                  stores,
                  plan.streams,
                  recorded,
                  progress,
                  signal,
                );
          if (writer) await keys!.line(writer.end());
          for (const file of files) await file.finish();
          // The keys first: events without their keys would look like a complete export.
          for (const file of files) await file.keep();
          const { export_id, streams, left_out } = plan;
          const data = { export_id, events: total, streams, left_out, contents };
          const rows = streams.map(({ drive_id, events: count }) => [drive_id, count]);
          const text = (): string =>
            [
              table(['stream', 'events'], rows),
              ...omissions(left_out),
              ...(contents ? [contentsText(contents)] : []),
            ].join('\n');
          const is_bad = left_out.length > 0 || (contents?.omitted.length ?? 0) > 0;
          return { data, text, is_bad };
        } finally {
          for (const file of files) await file.drop();
          await stores.close();
        }
      });
    });
};

/** Copies the content of exported streams. What the folder has is not copied again. */
async function exportContents(
  folder: string,
  { events, side, contents }: Stores,
  streams: readonly { readonly drive_id: string }[],
  recorded: RecordedContents,
  progress: Progress,
  signal: AbortSignal,
): Promise<CopiedContents> {
  const target = await ContentFolder.open(folder);
  const from = new Contents(contents, side.keys);
  const to = new Contents(target, side.keys);
  let [copied, existing] = [0, 0];
  const omitted: OmittedContent[] = [];
  try {
    for (const { drive_id } of streams) {
      const { contents: named, revision: last } = recorded.of(drive_id);
      const total = [...named.values()].reduce((sum, { size }) => sum + size, 0);
      let done = 0;
      const one = await copyContents({
        ...{ drive_id, recorded: named, from, to, signal },
        progress: (bytes) => progress.at((done += bytes), total, `content of ${drive_id}`),
      });
      copied += one.copied;
      existing += one.existing;
      if (one.omitted.length === 0) continue;
      // The running service may delete contents meanwhile.
      const deleted = await deletedSince(events, drive_id, last);
      omitted.push(...one.omitted.filter(({ content_id }) => !deleted.has(content_id)));
    }
  } finally {
    await target.close();
  }
  return { copied, existing, omitted };
}

function contentsText({ copied, existing, omitted }: CopiedContents): string {
  const counts = `${copied} contents copied, ${existing} existed.`;
  return [counts, ...omitted.map(omissionText)].join('\n');
}

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
