/**
 * Determines why a server cannot be used: the client's own error is the same for every reason, and has no message.
 */
import { readFileSync } from 'node:fs';
import {
  connect as connectHttp2,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import type { Credentials } from './connection-string.js';
import { NoAnswer, within } from './deadline.js';

/** Maximum time of each probe, ms. */
const PROBE_MS = 3_000;

/** Every EventStoreDB since 21.10 answers this call, without credentials. */
const FEATURES = '/event_store.client.server_features.ServerFeatures/GetSupportedMethods';
/** gRPC status code. */
const UNAUTHENTICATED = '16';
/** An empty gRPC message. */
const EMPTY_MESSAGE = Buffer.alloc(5);

export interface ProbedServer {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** Path of the CA certificates; undefined for those of the machine. */
  readonly ca_file?: string | undefined;
  /** False: any certificate of the server is accepted. */
  readonly verifies: boolean;
}

export interface Finding {
  /** Predicate of a sentence about the server, such as `refuses the connection`. */
  readonly sentence: string;
  /** True if the problem may be temporary. */
  readonly may_pass: boolean;
  /** The sentence for callers, if `sentence` names a host. */
  readonly public_sentence?: string;
}

/** The reason why a server cannot be used; null if it answers like an EventStoreDB. */
export async function probe(server: ProbedServer): Promise<Finding | null> {
  let socket: Socket | undefined;
  try {
    socket = await openTcp(server);
    if (!server.tls) return await notEventStore(server, socket);
    socket = await openTls(server, socket);
  } catch (error) {
    return finding(server, error);
  } finally {
    socket?.destroy();
  }
  return null;
}

/**
 * Whether a server accepts a user's password, whatever the user's permissions; null if the server cannot be asked.
 */
export async function acceptsCredentials(
  server: ProbedServer,
  { username, password }: Credentials,
): Promise<boolean | null> {
  let socket: Socket | undefined;
  try {
    socket = await openTcp(server);
    if (server.tls) socket = await openTls(server, socket);
    const coded = Buffer.from(`${username}:${password}`).toString('base64');
    const answer = await askFeatures(socket, { authorization: `Basic ${coded}` });
    return answer && !isUnauthenticated(answer);
  } catch {
    return null;
  } finally {
    socket?.destroy();
  }
}

async function notEventStore(server: ProbedServer, socket: Socket): Promise<Finding | null> {
  if (await answersFeatures(socket)) return null;
  const has_tls = await speaksTls(server);
  return has_tls ? lasting('answers with TLS only: set tls=true') : NO_EVENT_STORE;
}

async function finding(server: ProbedServer, error: unknown): Promise<Finding> {
  if (error instanceof NoAnswer) return passing(`does not answer within ${PROBE_MS} ms`);
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return passing('does not resolve');
  if (code === 'ECONNREFUSED') return passing('refuses the connection');
  if (code === 'CERT_HAS_EXPIRED') return lasting('has a certificate that has expired');
  if (code === 'CERT_NOT_YET_VALID') return lasting('has a certificate that is not valid yet');
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return {
      ...lasting(`has a certificate for other names than ${server.host}`),
      public_sentence: 'has a certificate for other names than its own',
    };
  if (UNTRUSTED.has(code))
    return lasting(
      `has a certificate of an unknown authority: set tlsCaFile to that authority's certificate`,
    );
  if (server.tls && WITHOUT_TLS.test(`${code} ${message}`)) return withoutTls(server);
  return passing(`cannot be reached: ${code || message}`);
}

async function withoutTls(server: ProbedServer): Promise<Finding> {
  const socket = await openTcp(server).catch(() => null);
  if (!socket) return passing('cannot be reached');
  const is_plain = await answersFeatures(socket).finally(() => socket.destroy());
  return is_plain ? lasting('answers without TLS: set tls=false') : NO_EVENT_STORE;
}

const NO_EVENT_STORE = lasting('is not an EventStoreDB or KurrentDB');
const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
]);
/** Errors of a TLS client at a server without TLS. */
const WITHOUT_TLS = /EPROTO|ERR_SSL|ECONNRESET|disconnected before secure/;

function passing(sentence: string): Finding {
  return { sentence, may_pass: true };
}

function lasting(sentence: string): Finding {
  return { sentence, may_pass: false };
}

function openTcp({ host, port }: ProbedServer): Promise<Socket> {
  const socket = connectTcp({ host, port });
  return opened(socket, 'connect');
}

function openTls({ host, ca_file, verifies }: ProbedServer, socket: Socket): Promise<Socket> {
  const secure = connectTls({
    socket,
    // For an IP address, the certificate is compared with the address.
    ...(isIP(host) ? { host } : { servername: host }),
    ...(ca_file !== undefined && { ca: readFileSync(ca_file) }),
    rejectUnauthorized: verifies,
    ALPNProtocols: ['h2'],
  });
  return opened(secure, 'secureConnect');
}

async function opened(socket: Socket, event: string): Promise<Socket> {
  const opening = new Promise<void>((resolve, reject) => {
    socket.once(event, resolve).on('error', reject);
  });
  try {
    await within(opening, PROBE_MS);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function speaksTls(server: ProbedServer): Promise<boolean> {
  try {
    const socket = await openTcp(server);
    (await openTls({ ...server, verifies: false, ca_file: undefined }, socket)).destroy();
    return true;
  } catch {
    return false;
  }
}

/** True if the server answers gRPC. */
async function answersFeatures(socket: Socket): Promise<boolean> {
  const answer = await askFeatures(socket);
  return String(answer?.[constants.HTTP2_HEADER_CONTENT_TYPE]).startsWith('application/grpc');
}

function isUnauthenticated(answer: IncomingHttpHeaders): boolean {
  return answer['grpc-status'] === UNAUTHENTICATED || Number(answer[':status']) === 401;
}

/** The headers of the answer, null if there is none. */
async function askFeatures(
  socket: Socket,
  headers: OutgoingHttpHeaders = {},
): Promise<IncomingHttpHeaders | null> {
  const session = connectHttp2('http://probe', { createConnection: () => socket });
  const answer = new Promise<IncomingHttpHeaders | null>((resolve) => {
    const no = (): void => resolve(null);
    session.on('error', no).on('close', no);
    const call = session.request({
      ...headers,
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: FEATURES,
      [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc',
      [constants.HTTP2_HEADER_TE]: 'trailers',
    });
    call.on('error', no).on('response', resolve);
    call.end(EMPTY_MESSAGE);
  });
  try {
    return await within(answer, PROBE_MS).catch(() => null);
  } finally {
    session.destroy();
  }
}
