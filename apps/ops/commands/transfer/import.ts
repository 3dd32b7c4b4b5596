import { type ImportedStream, importStreams } from '../../../../libs/engine/transfer/import.js';
import { KeyFileReader } from '../../../../libs/engine/transfer/key-file.js';
import { Malformed } from '../../../../libs/proofs/hashes.js';
import { BrokenFile, checkedParts, partsOf } from '../../../../libs/proofs/stream-file.js';
import { existsSync } from 'node:fs';
import { Contents } from '../../../../libs/engine/contents/contents.js';
import { ContentFolder } from '../../../../libs/stores/open.js';
import { EXIT, Failure } from '../../failure.js';
import { eachOne, type OpsCommand, working } from '../../command.js';
import { linesOf, openingOf, type SecretOptions } from '../../output/files.js';
import { settingsOf, storeOptions, type StoreOptions, writing } from '../../stores.js';
import { omissionText, table } from '../../output/terminal.js';

interface Options extends StoreOptions, SecretOptions {
  readonly drive?: readonly string[];
  readonly withoutFactory?: boolean;
  readonly keys?: string;
  readonly content?: string;
  readonly skipMissingContent?: boolean;
}

export const importing: OpsCommand = (program, surroundings) => {
  storeOptions(program.command('import'))
    .description('imports a file into another installation; resumes after an interruption')
    .argument('<file>', 'a file from export')
    .option('--drive <id>', 'only this organization; repeatable', eachOne)
    .option('--without-factory', 'omit the factory’s stream with its gift cards')
    .option('--keys <file>', 'the file with their keys')
    .option('--content <folder>', 'the folder with their content, from export; needs --keys')
    .option('--skip-missing-content', 'omit content that is missing or damaged there')
    .option('--private-key <file>', 'private key (PEM) of the recipient of the keys')
    .option('--passphrase-file <file>', 'file with their passphrase; else KEYS_PASSPHRASE')
    .option('--json', 'print the outcome as JSON')
    .action(async (file: string, options: Options, command) => {
      const { terminal } = surroundings;
      const { content } = options;
      if (content !== undefined && options.keys === undefined)
        throw new Failure('--content needs --keys: content is encrypted.', EXIT.usage);
      if (content !== undefined && !existsSync(content))
        throw new Failure(`${content} does not exist.`, EXIT.usage);
      // Before there is a line of progress, which would replace the question.
      const opening = options.keys ? await openingOf(options, terminal) : null;
      await working(surroundings, command, async (progress, signal) => {
        const keys = opening && (await KeyFileReader.open(linesOf(options.keys!), opening));
        const settings = settingsOf(options, terminal.env);
        try {
          // A file that is refused leaves no new folder behind.
          if (!existsSync(settings.data_dir))
            for await (const _ of checkedParts(partsOf(linesOf(file))));
          const done = await writing(settings, (drives, stores) => {
            const vault = stores.side.keys;
            const imported = importStreams({
              drives,
              parts: () => partsOf(linesOf(file)),
              ...(keys && { keys }),
              contents: new Contents(stores.contents, vault),
              ...(content !== undefined && {
                contents_from: new Contents(ContentFolder.reading(content), vault),
              }),
              ...(options.drive && { drive_ids: options.drive }),
              skip_missing_content: options.skipMissingContent ?? false,
              without_factory: options.withoutFactory ?? false,
              signal,
              progress: (phase, at, total) => progress.at(at, total, phase),
            });
            return Array.fromAsync(imported);
          });
          return {
            data: { streams: done },
            text: () => importedText(done),
            is_bad: done.some(({ omitted }) => omitted.length > 0),
          };
        } catch (error) {
          if (!(error instanceof BrokenFile || error instanceof Malformed)) throw error;
          throw new Failure(`${file} is refused: ${error.message}.`, EXIT.refused, {
            cause: error,
          });
        } finally {
          await keys?.close();
        }
      });
    });
};

function importedText(streams: readonly ImportedStream[]): string {
  const rows = streams.map((stream) => [
    stream.drive_id,
    stream.events,
    stream.written || 'none: all existed',
    stream.missing_keys || 'none',
    stream.contents || 'none',
    stream.missing_contents || 'none',
  ]);
  const unknown = streams.filter(({ unknown_types }) => unknown_types.length > 0);
  return [
    table(['stream', 'events', 'written', 'keys missing', 'contents', 'contents missing'], rows),
    ...streams.flatMap(({ omitted }) => omitted.map(omissionText)),
    ...unknown.map(
      ({ drive_id, unknown_types }) =>
        `${drive_id} stays closed: unknown event types ${unknown_types.join(', ')}.`,
    ),
  ].join('\n');
}
