import { Contents } from '../../../../libs/engine/contents/contents.js';
import { streamOf } from '../../../../libs/engine/fold/fold.js';
import { type Comparison, compareStreams } from '../../../../libs/engine/transfer/compare.js';
import {
  exportedKeys,
  exportedParts,
  planExport,
} from '../../../../libs/engine/transfer/export.js';
import { type ImportedStream, importStreams } from '../../../../libs/engine/transfer/import.js';
import type { EventStore } from '../../../../libs/event-store/port.js';
import { ONLY_DRIVES, type OpsCommand, positive, working } from '../../command.js';
import { EXIT, Failure } from '../../failure.js';
import { driveIdsOf } from '../../organizations.js';
import {
  placeOf,
  settingsOf,
  storeOptions,
  type StoreOptions,
  valuesOf,
  writing,
} from '../../stores.js';
import { omissionText, table } from '../../output/terminal.js';

interface Options extends StoreOptions {
  readonly to: string;
  readonly drive?: readonly string[];
  readonly withoutFactory?: boolean;
  readonly content?: boolean;
  readonly skipMissingContent?: boolean;
  readonly checkEvery: number;
}

export const migrating: OpsCommand = (program, surroundings) => {
  storeOptions(program.command('migrate'))
    .description('copies this installation into another one, and compares both')
    .requiredOption('--to <file>', 'settings file of the target, one NAME=value a line')
    .option(...ONLY_DRIVES)
    .option('--without-factory', 'omit the factory’s stream with its gift cards')
    .option('--content', 'also copy the content of files')
    .option('--skip-missing-content', 'omit content that is missing or damaged there')
    .option('--check-every <events>', 'events between two comparisons', positive, 1000)
    .option('--json', 'print the outcome as JSON')
    .action(async (options: Options, command) => {
      const { env } = surroundings.terminal;
      const { drive, withoutFactory, checkEvery: every } = options;
      await working(surroundings, command, async (progress, signal) => {
        const from = settingsOf(options, env);
        expectPlace(options.to);
        const to = settingsOf({ settings: options.to }, env);
        // Opened for writing, so that no process can use the source meanwhile.
        const outcome = await writing(from, (source, source_stores) =>
          writing(to, async (target, target_stores) => {
            const drive_ids = drive && (await driveIdsOf(source, drive));
            const plan = await planExport(source.events, { drive_ids });
            if (plan.left_out.length > 0)
              throw new Failure(
                [
                  ...plan.left_out.map(({ says }) => says),
                  'Name the other organizations with --drive.',
                ].join('\n'),
                EXIT.refused,
              );
            const now = Date.now();
            const imported = importStreams({
              drives: target,
              parts: () => exportedParts(source.events, plan, { now, signal }),
              keys: {
                keysOf: (drive_id, erased) => exportedKeys(source.side.keys, drive_id, erased),
              },
              contents: new Contents(target_stores.contents, target_stores.side.keys),
              ...(options.content && {
                contents_from: new Contents(source_stores.contents, source_stores.side.keys),
              }),
              skip_missing_content: options.skipMissingContent ?? false,
              without_factory: withoutFactory ?? false,
              signal,
              progress: (phase, at, total) => progress.at(at, total, phase),
            });
            const streams = await Array.fromAsync(imported);
            const compared: Comparison[] = [];
            for (const { drive_id, events } of streams) {
              compared.push(
                await compareStreams({
                  ...{ drive_id, source: source.events, target: target.events, events, every },
                  signal,
                  progress: (at) => progress.at(at, events, `compare ${drive_id}`),
                }),
              );
              await expectEnd(source.events, drive_id, events);
            }
            return { streams, compared };
          }),
        );
        const differs = outcome.compared.find(({ differs_at }) => differs_at !== null);
        if (differs)
          throw new Failure(
            `${differs.drive_id} differs at revision ${differs.differs_at}.`,
            EXIT.refused,
          );
        const is_bad = outcome.streams.some(({ omitted }) => omitted.length > 0);
        const text = (): string => `To ${placeOf(to)}:\n${migratedText(outcome)}`;
        return { data: outcome, text, is_bad };
      });
    });
};

/** Settings that do not say where would mean the current folder's data, also after a misspelled name. @throws Failure */
function expectPlace(file: string): void {
  const { DATA_DIR, EVENT_STORE, KURRENTDB_URL } = valuesOf({ settings: file }, {});
  if (DATA_DIR ?? EVENT_STORE ?? KURRENTDB_URL) return;
  throw new Failure(
    `${file} does not name the target: it needs DATA_DIR, or EVENT_STORE=kurrentdb and KURRENTDB_URL.`,
    EXIT.usage,
  );
}

/** A folder is locked while it is read; on servers other processes may have written. */
async function expectEnd(store: EventStore, drive_id: string, events: number): Promise<void> {
  const head = await store.head(streamOf(drive_id));
  if (head?.revision === events - 1) return;
  throw new Failure(
    `${drive_id} changed during the copy; stop its service and migrate into another target.`,
    EXIT.refused,
  );
}

function migratedText({
  streams,
  compared,
}: {
  streams: readonly ImportedStream[];
  compared: readonly Comparison[];
}): string {
  const rows = streams.map((stream, at) => [
    stream.drive_id,
    stream.events,
    stream.written || 'none: all existed',
    `equal at ${compared[at]!.points} points`,
    stream.contents || 'none',
    stream.missing_contents || 'none',
  ]);
  return [
    table(['stream', 'events', 'written', 'chain and state', 'contents', 'contents missing'], rows),
    ...streams.flatMap(({ omitted }) => omitted.map(omissionText)),
  ].join('\n');
}
