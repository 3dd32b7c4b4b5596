/**
 * A frozen node keeps its connections. The client (@kurrent/kurrentdb-client 1.3.1) detects that by pings, after up
 * to 20 s, and sends everything there meanwhile. After a missing answer the node is therefore doubted: it is probed,
 * and if the probe is not answered in time the client leaves it and looks for the leader.
 */
import { type KurrentDBClient, UnavailableError } from '@kurrent/kurrentdb-client';
import { ServerFeatures } from '@kurrent/kurrentdb-client/dist/Client/ServerFeatures.js';

/** Maximum wait for the answer to a cheap probe, ms; includes the connection, if it is new. */
export const ANSWER_MS = 1_000;

/** The same on a connection that exists, ms: two thirds of a new one are round trips. */
const CONNECTED_ANSWER_MS = 600;

/** How long an append or a part of a read waits for its answer before the node is doubted, ms. */
export const DOUBT_MS = 750;

/** The call's result; if it takes long, the node is doubted meanwhile. */
export function withDoubt<T>(
  asked: Promise<T>,
  doubt: () => void,
  after_ms = DOUBT_MS,
): Promise<T> {
  const doubting = setTimeout(doubt, after_ms);
  return asked.finally(() => clearTimeout(doubting));
}

/** `connectivityState.READY` of gRPC: the connection exists. */
const READY = 2;
/** gRPC status code of a time-out. */
const DEADLINE_EXCEEDED = 4;

const [Service, METHOD, ask] = ServerFeatures.createServerFeatures;
type CapabilityQuestion = Parameters<typeof ask>[0];
type Answer = [error: { readonly code?: number | undefined } | null, methods: object];
interface Channel {
  getTarget(): string;
  /** @param tries_to_connect true: begins to connect */
  getConnectivityState(tries_to_connect: boolean): number;
}
/** Calls of a service on a connection. */
interface Caller {
  getChannel(): Channel;
}
interface FeaturesCaller extends Caller {
  getSupportedMethods(
    nothing: object,
    options: { readonly deadline: number },
    answered: (...answer: Answer) => void,
  ): void;
}
/** A call that continues until it is cancelled. */
interface Stream {
  cancel(): void;
  once(event: 'close', listener: () => void): unknown;
}

/** Members hidden by the client's type. */
interface Hidden {
  /** Fails like the action; the client then reconnects if the node was unavailable. */
  execute: (
    service: typeof Service,
    method: string,
    action: (caller: FeaturesCaller) => Promise<ServerFeatures>,
  ) => Promise<ServerFeatures>;
  /** Starts a stream; `create` is called with the connection to use. */
  GRPCStreamCreator: (
    service: unknown,
    method: string,
    create: (caller: Caller) => Stream,
    cache?: unknown,
  ) => unknown;
}

const streams = new WeakMap<object, Set<Stream>>();
const listeners = new WeakMap<KurrentDBClient, (silent: string) => void>();

/** Records the streams of each connection of the client. */
export function noteStreams(client: KurrentDBClient): void {
  const hidden = client as unknown as Hidden;
  const creator = hidden.GRPCStreamCreator;
  hidden.GRPCStreamCreator = (service, method, create, cache) =>
    creator(
      service,
      method,
      (caller) => {
        const stream = create(caller);
        const carried = streams.get(caller.getChannel()) ?? new Set();
        streams.set(caller.getChannel(), carried.add(stream));
        stream.once('close', () => carried.delete(stream));
        return stream;
      },
      cache,
    );
}

/** Asks the current node for its features. If it does not answer, the client leaves it, and its calls are ended. */
export function askFeatures(client: KurrentDBClient): Promise<ServerFeatures> {
  return (client as unknown as Hidden).execute(Service, METHOD, async (caller) => {
    const is_connected = caller.getChannel().getConnectivityState(false) === READY;
    const deadline = Date.now() + (is_connected ? CONNECTED_ANSWER_MS : ANSWER_MS);
    const getSupportedMethods = (nothing: object, answered: (...answer: Answer) => void): void =>
      caller.getSupportedMethods(nothing, { deadline }, (error, methods) => {
        if (error?.code !== DEADLINE_EXCEEDED) return answered(error, methods);
        const channel = caller.getChannel();
        leave(channel);
        listeners.get(client)?.(channel.getTarget().replace(/^\w+:(?=[^:]+:\d+$)/, ''));
        answered(unavailable(error), methods);
      });
    return ask({ getSupportedMethods } as object as CapabilityQuestion);
  });
}

function leave(channel: object): void {
  for (const stream of streams.get(channel) ?? []) stream.cancel();
}

function unavailable(error: object): UnavailableError {
  return new UnavailableError(error as ConstructorParameters<typeof UnavailableError>[0]);
}

/** The node that a client currently uses. */
export class ServingNode {
  private asking: Promise<void> | null = null;

  /** @param left called whenever the client leaves a silent node, with its `host:port` */
  constructor(
    private readonly client: KurrentDBClient,
    left: (silent: string) => void,
  ) {
    listeners.set(client, left);
  }

  /** Probes the node after a missing answer, and leaves it if it is silent. One probe at a time. */
  doubt(): void {
    this.asking ??= askFeatures(this.client)
      .then(
        () => {},
        () => {},
      )
      .finally(() => {
        this.asking = null;
      });
  }
}
