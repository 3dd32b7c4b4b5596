import type {
  Metadata,
  sendUnaryData,
  ServerDuplexStream,
  ServerErrorResponse,
  ServerReadableStream,
  ServerUnaryCall,
} from '@grpc/grpc-js';

import type { Access } from './access.js';
import type { Commits } from './commits.js';
import type { AppendOutcome, EventLog, ExpectedRevision, ProposedEvent } from './event-log.js';
import type { Faults } from './faults.js';
import {
  accessDenied,
  allPosition,
  at,
  BATCH_TIMEOUT,
  batchDenied,
  batchTombstoned,
  batchTooLarge,
  batchWrongRevision,
  expectedRevision,
  identifier,
  streamName,
  timedOut,
  tombstoned,
  tooLarge,
  wrongRevision,
} from './messages.js';
import {
  AppendResp,
  BatchAppendResp,
  DeleteResp,
  Empty,
  GoogleEmpty,
  TombstoneResp,
  type messages,
} from './protocol.js';
import { NotLeading, type Writer } from './writer.js';

/** The default of the real server, in bytes of types, data and metadata. */
const MAX_APPEND_BYTES = 1_048_576;

interface Append {
  readonly metadata: Metadata;
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly deadline_ms: number;
  readonly events: ProposedEvent[];
  bytes: number;
}

/** What became of an append, or why it was not even tried. */
type Stored = AppendOutcome | 'too-large' | 'timeout' | 'denied';

type Proposal = messages.AppendReq.ProposedMessage | messages.BatchAppendReq.ProposedMessage;

/** The calls that write. */
export class AppendHandlers {
  /** Appends that have arrived. */
  count = 0;

  constructor(
    private readonly log: EventLog,
    private readonly faults: Faults,
    private readonly commits: Commits,
    private readonly writer: Writer,
    private readonly access: Access,
    private readonly drop_connections: () => void,
  ) {}

  /** One append per call: options first, then its events one by one. */
  readonly append = (
    call: ServerReadableStream<messages.AppendReq, messages.AppendResp>,
    answer: sendUnaryData<messages.AppendResp>,
  ): void => {
    const refusal = this.access.unauthenticated(call.metadata);
    if (refusal) return answer(refusal);
    let append: Append | null = null;
    call.on('data', (request: messages.AppendReq) => {
      const options = request.getOptions();
      if (options) {
        const expected = expectedRevision(options, options.getRevision());
        append = open(call.metadata, streamName(options), expected, Infinity);
      } else if (append) add(append, request.getProposedMessage()!);
    });
    call.on('end', () => {
      if (!append) return;
      void this.#store(append, (error) => answer(error)).then((outcome) => {
        if (outcome) answer(...unaryAnswer(append!, outcome));
      });
    });
  };

  /** Many appends per call, each in one or several requests of the same correlation id. */
  readonly batchAppend = (
    call: ServerDuplexStream<messages.BatchAppendReq, messages.BatchAppendResp>,
  ): void => {
    const refusal = this.access.unauthenticated(call.metadata);
    if (refusal) {
      call.emit('error', refusal);
      return;
    }
    const open_appends = new Map<string, Append>();
    call.on('data', (request: messages.BatchAppendReq) => {
      const correlation = request.getCorrelationId()!;
      const options = request.getOptions();
      if (options) {
        const expected = expectedRevision(options, options.getStreamPosition());
        const deadline_ms = options.getDeadline21100()?.toDate().getTime() ?? Infinity;
        const append = open(call.metadata, streamName(options), expected, deadline_ms);
        open_appends.set(correlation.getString(), append);
      }
      const append = open_appends.get(correlation.getString());
      if (!append) return;
      for (const proposal of request.getProposedMessagesList()) add(append, proposal);

      const respond = (fill: (response: messages.BatchAppendResp) => void) => {
        const response = new BatchAppendResp()
          .setCorrelationId(correlation)
          .setStreamIdentifier(identifier(append.stream));
        fill(response);
        call.write(response);
      };
      if (append.bytes > MAX_APPEND_BYTES) {
        open_appends.delete(correlation.getString());
        respond((response) => response.setError(batchTooLarge(MAX_APPEND_BYTES)));
      } else if (request.getIsFinal()) {
        open_appends.delete(correlation.getString());
        void this.#store(append, (error) => call.emit('error', error)).then((outcome) => {
          if (outcome) respond((response) => fillBatchAnswer(response, append, outcome));
        });
      }
    });
    call.on('end', () => call.end());
  };

  readonly delete = (
    call: ServerUnaryCall<messages.DeleteReq, messages.DeleteResp>,
    answer: sendUnaryData<messages.DeleteResp>,
  ): void => {
    const options = call.request.getOptions()!;
    const expected = expectedRevision(options, options.getRevision());
    this.#remove(
      call,
      answer,
      () => this.log.softDelete(streamName(options), expected),
      (outcome) => {
        const response = new DeleteResp();
        if (outcome.kind === 'stored')
          response.setPosition(at(new DeleteResp.Position(), outcome.position!));
        answer(failureOf('Delete', streamName(options), expected, outcome), response);
      },
    );
  };

  readonly tombstone = (
    call: ServerUnaryCall<messages.TombstoneReq, messages.TombstoneResp>,
    answer: sendUnaryData<messages.TombstoneResp>,
  ): void => {
    const options = call.request.getOptions()!;
    const expected = expectedRevision(options, options.getRevision());
    this.#remove(
      call,
      answer,
      () => this.log.tombstone(streamName(options), expected),
      (outcome) => {
        const response = new TombstoneResp();
        if (outcome.kind === 'stored')
          response.setPosition(at(new TombstoneResp.Position(), outcome.position!));
        answer(failureOf('Tombstone', streamName(options), expected, outcome), response);
      },
    );
  };

  /** Stores, and waits as asked; null if there is nothing to answer any more. */
  async #store(
    append: Append,
    refuse: (error: ServerErrorResponse) => void,
  ): Promise<Stored | null> {
    const outcome = await this.#commit(append, refuse);
    if (outcome) await this.faults.delay();
    return outcome;
  }

  async #commit(
    append: Append,
    refuse: (error: ServerErrorResponse) => void,
  ): Promise<Stored | null> {
    this.count += 1;
    if (append.bytes > MAX_APPEND_BYTES) return 'too-large';
    if (append.deadline_ms <= Date.now()) return 'timeout';
    const fault = this.writer.refusal(true) ?? this.faults.appendArrives();
    if (fault && typeof fault !== 'string') {
      refuse(fault);
      return null;
    }
    if (this.access.refusal(append.metadata, 'write', append.stream)) return 'denied';
    if (this.commits.repeats(append.stream, append.events)) return this.commits.timeOut();
    const end = this.commits.begin(append.stream, append.events);
    try {
      const stored = this.log.records.length;
      const outcome =
        fault === 'drop-lost'
          ? null
          : await this.#write(() => this.log.append(append.stream, append.expected, append.events));
      if (fault) {
        this.drop_connections();
        return null;
      }
      if (this.log.records.length > stored) await this.commits.indexed();
      return outcome;
    } finally {
      end();
    }
  }

  /** What no majority stores in time may be stored later, or never. */
  async #write<T>(write: () => T): Promise<T | 'timeout'> {
    const written = this.writer.write(write).catch((error: unknown) => {
      if (error instanceof NotLeading) return this.commits.timeOut();
      throw error;
    });
    return Promise.race([written, this.commits.timeOut()]);
  }

  /** Does what a call for one stream asks, and fails it unless it was done. */
  #remove(
    call: ServerUnaryCall<messages.DeleteReq | messages.TombstoneReq, unknown>,
    answer: (error: ServerErrorResponse) => void,
    remove: () => AppendOutcome,
    done: (outcome: AppendOutcome) => void,
  ): void {
    const stream = streamName(call.request.getOptions()!);
    const refusal =
      this.access.unauthenticated(call.metadata) ??
      this.writer.refusal(true) ??
      this.access.refusal(call.metadata, 'delete', stream);
    if (refusal) answer(refusal);
    else
      void this.#write(remove).then((outcome) =>
        outcome === 'timeout' ? answer(timedOut()) : done(outcome),
      );
  }
}

function open(
  metadata: Metadata,
  stream: string,
  expected: ExpectedRevision,
  deadline_ms: number,
): Append {
  return { metadata, stream, expected, deadline_ms, events: [], bytes: 0 };
}

function add(append: Append, proposal: Proposal): void {
  const event = {
    id: proposal.getId()!.getString(),
    type: proposal.getMetadataMap().get('type') ?? '',
    content_type: proposal.getMetadataMap().get('content-type') ?? 'application/octet-stream',
    data: proposal.getData_asU8(),
    metadata: proposal.getCustomMetadata_asU8(),
  };
  append.events.push(event);
  append.bytes += 2 * event.type.length + event.data.length + event.metadata.length;
}

function failureOf(
  operation: string,
  stream: string,
  expected: ExpectedRevision,
  outcome: AppendOutcome,
): ServerErrorResponse | null {
  if (outcome.kind === 'tombstoned') return tombstoned(stream);
  if (outcome.kind === 'wrong-revision') return wrongRevision(operation, stream, expected, outcome);
  return null;
}

function unaryAnswer(
  { stream, expected }: Append,
  outcome: Stored,
): [ServerErrorResponse | null, messages.AppendResp?] {
  if (outcome === 'too-large') return [tooLarge(MAX_APPEND_BYTES)];
  if (outcome === 'timeout') return [timedOut()];
  if (outcome === 'denied') return [accessDenied()];
  if (outcome.kind === 'tombstoned') return [tombstoned(stream)];
  const response = new AppendResp();
  if (outcome.kind === 'stored') {
    const success = new AppendResp.Success();
    if (outcome.revision < 0) success.setNoStream(new Empty());
    else success.setCurrentRevision(String(outcome.revision));
    if (outcome.position === null) success.setNoPosition(new Empty());
    else success.setPosition(at(new AppendResp.Position(), outcome.position));
    return [null, response.setSuccess(success)];
  }
  const wrong = new AppendResp.WrongExpectedVersion();
  if (outcome.current < 0) wrong.setCurrentNoStream(new Empty());
  else wrong.setCurrentRevision(String(outcome.current));
  if (expected === 'any') wrong.setExpectedAny(new Empty());
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new Empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new Empty());
  else wrong.setExpectedRevision(String(expected));
  return [null, response.setWrongExpectedVersion(wrong)];
}

function fillBatchAnswer(
  response: messages.BatchAppendResp,
  { stream, expected }: Append,
  outcome: Stored,
): void {
  if (outcome === 'too-large') response.setError(batchTooLarge(MAX_APPEND_BYTES));
  else if (outcome === 'timeout') response.setError(BATCH_TIMEOUT());
  else if (outcome === 'denied') response.setError(batchDenied());
  else if (outcome.kind === 'tombstoned') response.setError(batchTombstoned(stream));
  else if (outcome.kind === 'wrong-revision')
    response.setError(batchWrongRevision(expected, outcome.current));
  else {
    const success = new BatchAppendResp.Success();
    if (outcome.revision < 0) success.setNoStream(new GoogleEmpty());
    else success.setCurrentRevision(String(outcome.revision));
    if (outcome.position === null) success.setNoPosition(new GoogleEmpty());
    else success.setPosition(allPosition(outcome.position));
    response.setSuccess(success);
  }
}
