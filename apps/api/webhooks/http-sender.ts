import { lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type {
  WebhookRequest,
  WebhookResponse,
  WebhookSender,
} from '../../../libs/engine/webhooks/deliveries.js';
import { hostOf, isPublicAddress } from './public-address.js';

/** Maximum bytes read of a response body, which is ignored. */
const MOST_READ_BYTES = 64 * 1024;

export interface HttpSenderOptions {
  /** Refuses addresses that are not public. */
  readonly public_only: boolean;
  /** From the address lookup to the last byte of the response, ms. */
  readonly timeout_ms: number;
  readonly user_agent: string;
  /** Looks up addresses; for tests. */
  readonly resolve?: LookupFunction;
}

/** Posts deliveries, signed as in Standard Webhooks (https://www.standardwebhooks.com). */
export class HttpSender implements WebhookSender {
  constructor(private readonly options: HttpSenderOptions) {}

  async send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse> {
    const url = new URL(request.url);
    const host = hostOf(url);
    // Node.js connects to a numeric address without calling `lookup`.
    if (this.options.public_only && isIP(host) && !isPublicAddress(host))
      return { status: null, reason: NOT_PUBLIC };
    try {
      return await this.post(url, request, signal);
    } catch (error) {
      return { status: null, reason: reasonOf(error, signal) };
    }
  }

  private post(url: URL, request: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<WebhookResponse>();
    const begin = url.protocol === 'https:' ? https.request : http.request;
    const sent = begin(url, {
      method: 'POST',
      headers: this.headers(request),
      lookup: this.lookup,
      // Connections are not reused, so that the address is checked for each one.
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(this.options.timeout_ms)]),
    });
    sent.on('response', (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MOST_READ_BYTES) response.destroy();
      });
      // The status decides the outcome; errors while reading the body are ignored.
      response.on('error', () => {});
      response.on('close', () => resolve({ status: response.statusCode!, reason: null }));
    });
    sent.on('error', reject);
    // Closed without response or error, for example after an unrequested protocol switch.
    sent.on('close', () => setImmediate(reject, new Error('no response')));
    sent.end(request.body);
    return promise;
  }

  private headers({ body, delivery_id, timestamp_ms, secrets, signature }: WebhookRequest) {
    const at = new Date(timestamp_ms);
    const signatures = secrets.map((secret) => new Webhook(secret).sign(delivery_id, at, body));
    return {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': this.options.user_agent,
      'webhook-id': delivery_id,
      'webhook-timestamp': String(Math.floor(timestamp_ms / 1000)),
      'webhook-signature': signatures.join(' '),
      ...(signature && { signature }),
    };
  }

  /** Looks up a host and returns only allowed addresses, so that Node.js connects to one of these. */
  private readonly lookup: LookupFunction = (host, options, found) => {
    const resolve = this.options.resolve ?? lookup;
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return found(error, []);
      const all = typeof addresses === 'string' ? [] : addresses;
      const allowed = this.options.public_only
        ? all.filter(({ address }) => isPublicAddress(address))
        : all;
      const [first] = allowed;
      if (!first) return found(Object.assign(new Error(NOT_PUBLIC), { code: 'ENOTPUBLIC' }), []);
      if (options.all) return found(null, allowed);
      found(null, first.address, first.family);
    });
  };
}

const NOT_PUBLIC = 'the address is not public';

const REASONS: Readonly<Record<string, string>> = {
  ENOTPUBLIC: NOT_PUBLIC,
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'the host could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  ETIMEDOUT: 'no response in time',
  ABORT_ERR: 'no response in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
};

/** A reason without addresses: readers of a webhook's log must not learn about the internal network. */
function reasonOf(error: unknown, stopping: AbortSignal): string {
  if (stopping.aborted) return 'the service was shut down';
  const { code = '' } = error as NodeJS.ErrnoException;
  if (/CERT|TLS|SSL|EPROTO/.test(code)) return 'the connection is not secure';
  return REASONS[code] ?? 'the request failed';
}
