import { BACKWARDS, END, type KurrentDBClient, START } from '@kurrent/kurrentdb-client';
import utils from '@kurrent/kurrentdb-client/dist/utils/index.js';
import shared from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/shared_pb.js';
import service from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_grpc_pb.js';
import streams, {
  type ReadResp,
} from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { RawEvent } from '../stored-form.js';
import type { Native } from './native-readers.js';

/** Protobuf classes of a read. */
const { ReadReq } = streams;
const { Options } = ReadReq;

type StreamOptions = NonNullable<Parameters<Native['readStream']>[1]>;
type AllOptions = NonNullable<Parameters<Native['readAll']>[0]>;
type Common = Pick<StreamOptions, 'credentials' | 'direction' | 'maxCount' | 'requiresLeader'>;
interface Page {
  readonly event: RawEvent;
}

/** Members hidden by the client's type. */
interface Hidden {
  GRPCStreamCreator(
    client: typeof service.StreamsClient,
    method: string,
    create: (client: InstanceType<typeof service.StreamsClient>) => unknown,
  ): () => Promise<Readable>;
  callArguments(options: object, more: { readonly deadline: number }): [never, never];
}

/**
 * Reads by the client's own connection, in the form of its native reader, for threads. A thread that ends (for lack of
 * memory, say) while the native reader (@kurrent/bridge 0.2.2) answers it ends the whole process: "Failed to resolve
 * promise".
 */
export function threadReads(client: KurrentDBClient): Native {
  const reads = {
    readStream(stream: string, options: StreamOptions) {
      const asked = new Options.StreamOptions();
      asked.setStreamIdentifier(utils.createStreamIdentifier(stream));
      const { fromRevision: from } = options;
      if (from === END) asked.setEnd(new shared.Empty());
      else asked.setRevision(String(from));
      const request = requestOf(options);
      request.setStream(asked);
      request.setNoFilter(new shared.Empty());
      return pagesOf(client, request, options);
    },
    readAll(options: AllOptions) {
      const asked = new Options.AllOptions();
      const { fromPosition: from } = options;
      if (from === START) asked.setStart(new shared.Empty());
      else if (typeof from === 'string') asked.setEnd(new shared.Empty());
      else {
        const position = new Options.Position();
        position.setCommitPosition(String(from.commit));
        position.setPreparePosition(String(from.prepare));
        asked.setPosition(position);
      }
      const request = requestOf(options);
      request.setAll(asked);
      if (options.filter) request.setFilter(filterOf(options.filter));
      else request.setNoFilter(new shared.Empty());
      return pagesOf(client, request, options);
    },
  };
  return reads as unknown as Native;
}

function requestOf({ direction, maxCount }: Common): InstanceType<typeof Options> {
  const request = new Options();
  const { FORWARDS, BACKWARDS: BACK } = Options.ReadDirection;
  request.setReadDirection(direction === BACKWARDS ? BACK : FORWARDS);
  request.setCount(String(maxCount));
  request.setResolveLinks(false);
  const ids = new Options.UUIDOption();
  ids.setString(new shared.Empty());
  request.setUuidOption(ids);
  return request;
}

function filterOf(
  filter: NonNullable<AllOptions['filter']>,
): InstanceType<typeof Options.FilterOptions> {
  const names = new Options.FilterOptions.Expression();
  names.setPrefixList([...(filter as { prefixes: readonly string[] }).prefixes]);
  const request = new Options.FilterOptions();
  request.setStreamIdentifier(names);
  request.setCount(new shared.Empty());
  request.setCheckpointintervalmultiplier(1);
  return request;
}

/** The events of a read, as many at a time as have arrived. @throws errors of the client, with a name each */
async function* pagesOf(
  client: KurrentDBClient,
  options: InstanceType<typeof Options>,
  { credentials, requiresLeader }: Common,
): AsyncGenerator<Page[], void> {
  const request = new ReadReq();
  request.setOptions(options);
  const hidden = client as unknown as Hidden;
  const create = hidden.GRPCStreamCreator(service.StreamsClient, 'read', (caller) =>
    caller.read(
      request,
      // Its caller waits for each page as long as it wants to.
      ...hidden.callArguments({ credentials, requiresLeader }, { deadline: Infinity }),
    ),
  );
  try {
    const stream = await create();
    const ended = once(stream, 'end');
    // Awaited below, or of no interest any more.
    ended.catch(() => {});
    for (;;) {
      const page: Page[] = [];
      for (let answer = next(stream); answer !== null; answer = next(stream)) {
        if (answer.hasStreamNotFound()) throw new utils.StreamNotFoundError();
        const event = answer.getEvent()?.getEvent();
        if (event) page.push({ event: rawEvent(event) });
      }
      if (page.length > 0) yield page;
      else if (stream.readableEnded) return;
      else {
        await Promise.race([once(stream, 'readable'), ended]);
        // What arrives together is one page.
        await nextTurn();
      }
    }
  } catch (error) {
    // The client learns of the failure in this turn, and looks for another node first.
    await nextTurn();
    throw namedError(error);
  }
}

/** Errors of the client have no names; one of a call that was cancelled is that of a node that was left. */
function namedError(error: unknown): Error {
  const converted = utils.convertToCommandError(error as Error);
  const name = utils.isClientCancellationError(error)
    ? 'UnavailableError'
    : converted.constructor.name;
  return Object.assign(converted, { name });
}

function next(stream: Readable): ReadResp | null {
  return stream.read() as ReadResp | null;
}

function rawEvent(event: ReadResp.ReadEvent.RecordedEvent): RawEvent {
  return {
    streamId: Buffer.from(event.getStreamIdentifier()!.getStreamName_asU8()).toString(),
    id: utils.parseUUID(event.getId()!),
    type: event.getMetadataMap().get('type') ?? '',
    revision: BigInt(event.getStreamRevision()),
    data: event.getData_asU8(),
    metadata: event.getCustomMetadata_asU8(),
    position: { commit: BigInt(event.getCommitPosition()) },
  };
}
