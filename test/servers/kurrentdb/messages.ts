import { Metadata, status as codes, type ServerErrorResponse } from '@grpc/grpc-js';
import type { Message } from 'google-protobuf';

import type { AppendOutcome, ExpectedRevision, LogRecord } from './event-log.js';
import {
  AccessDenied,
  AllStreamPosition,
  Any,
  Code,
  GoogleEmpty,
  MaximumAppendSizeExceeded,
  ReadResp,
  Status,
  StreamDeleted,
  StreamIdentifier,
  Timeout,
  UUID,
  WrongExpectedVersion,
} from './protocol.js';

type CodeMember = (typeof Code)[keyof typeof Code];

/** .NET counts time in units of 100 ns. */
const TICKS_PER_MS = 10_000n;

/** Anything with the oneof of expected revisions; each request names its members a little differently. */
interface Expecting {
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
}

export function expectedRevision(options: Expecting, revision: string): ExpectedRevision {
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream_exists';
  return Number(revision);
}

interface Identified {
  getStreamIdentifier(): { getStreamName_asU8(): Uint8Array } | undefined;
}

export function streamName(options: Identified): string {
  return Buffer.from(options.getStreamIdentifier()!.getStreamName_asU8()).toString();
}

export function identifier(stream: string) {
  return new StreamIdentifier().setStreamName(Buffer.from(stream));
}

export function uuid(id: string) {
  return new UUID().setString(id);
}

/** Sets both members of any of the protocol's position messages. */
export function at<
  P extends { setCommitPosition(v: string): unknown; setPreparePosition(v: string): unknown },
>(message: P, position: number): P {
  message.setCommitPosition(String(position));
  message.setPreparePosition(String(position));
  return message;
}

export function eventMessage(record: LogRecord) {
  const recorded = at(new ReadResp.ReadEvent.RecordedEvent(), record.position)
    .setId(uuid(record.id))
    .setStreamIdentifier(identifier(record.stream))
    .setStreamRevision(String(record.revision))
    .setData(record.data)
    .setCustomMetadata(record.metadata);
  recorded
    .getMetadataMap()
    .set('type', record.type)
    .set('created', String(BigInt(record.created_ms) * TICKS_PER_MS))
    .set('content-type', record.content_type);
  const event = new ReadResp.ReadEvent()
    .setEvent(recorded)
    .setCommitPosition(String(record.position));
  return new ReadResp().setEvent(event);
}

export function allPosition(position: number) {
  return at(new AllStreamPosition(), position);
}

/** The error of a batch answer: details packed into a google.rpc.Status. */
function batchError(code: CodeMember, message: string, type: string, details: Message) {
  const any = new Any();
  any.pack(details.serializeBinary(), type);
  return new Status().setCode(code).setMessage(message).setDetails(any);
}

export const BATCH_TIMEOUT = () =>
  batchError(Code.DEADLINE_EXCEEDED, 'Timeout', 'event_store.client.Timeout', new Timeout());

export function batchTooLarge(max_bytes: number) {
  const details = new MaximumAppendSizeExceeded();
  details.setMaxappendsize(max_bytes);
  const type = 'event_store.client.MaximumAppendSizeExceeded';
  return batchError(Code.INVALID_ARGUMENT, 'Maximum Append Size Exceeded', type, details);
}

export function batchTombstoned(stream: string) {
  const details = new StreamDeleted().setStreamIdentifier(identifier(stream));
  const type = 'event_store.client.StreamDeleted';
  return batchError(Code.FAILED_PRECONDITION, 'Stream Deleted', type, details);
}

export function batchWrongRevision(expected: ExpectedRevision, current: number) {
  const details = new WrongExpectedVersion();
  if (current < 0) details.setCurrentNoStream(new GoogleEmpty());
  else details.setCurrentStreamRevision(String(current));
  if (expected === 'any') details.setExpectedAny(new GoogleEmpty());
  else if (expected === 'no_stream') details.setExpectedNoStream(new GoogleEmpty());
  else if (expected === 'stream_exists') details.setExpectedStreamExists(new GoogleEmpty());
  else details.setExpectedStreamPosition(String(expected));
  const type = 'event_store.client.WrongExpectedVersion';
  return batchError(Code.FAILED_PRECONDITION, 'Wrong Expected Version', type, details);
}

export function batchDenied() {
  const type = 'event_store.client.AccessDenied';
  return batchError(Code.PERMISSION_DENIED, 'Access Denied', type, new AccessDenied());
}

/** A failed call as the real server ends it: status, sentence, and trailers that clients tell the cause by. */
export function failure(
  code: codes,
  details: string,
  trailers: Readonly<Record<string, string>> = {},
): ServerErrorResponse {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
}

export function tooLarge(max_bytes: number): ServerErrorResponse {
  return failure(codes.INVALID_ARGUMENT, `Maximum Append Size of ${max_bytes} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(max_bytes),
  });
}

export function tombstoned(stream: string): ServerErrorResponse {
  return failure(codes.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });
}

/** How a refused delete ends; the numbers -1, -2 and -4 stand for what is no revision. */
export function wrongRevision(
  operation: string,
  stream: string,
  expected: ExpectedRevision,
  { current }: Extract<AppendOutcome, { kind: 'wrong-revision' }>,
): ServerErrorResponse {
  const numbers = { no_stream: -1, any: -2, stream_exists: -4 };
  const expected_version = typeof expected === 'number' ? expected : numbers[expected];
  return failure(
    codes.FAILED_PRECONDITION,
    `${operation} failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${expected_version}, Actual version: ${current}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': String(expected_version),
      'actual-version': String(current),
    },
  );
}

export function accessDenied(): ServerErrorResponse {
  return failure(codes.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
}

export function timedOut(): ServerErrorResponse {
  return failure(codes.DEADLINE_EXCEEDED, 'Timeout');
}

/** Who leads is not known. */
export function notReady(): ServerErrorResponse {
  return failure(codes.UNAVAILABLE, 'Server Is Not Ready');
}

export function notLeader({ host, port }: { host: string; port: number }): ServerErrorResponse {
  return failure(codes.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });
}
