import { Webhook } from 'standardwebhooks';
import type {
  WebhookRequest,
  WebhookResponse,
  WebhookSender,
} from '../../../libs/engine/webhooks/deliveries.js';
import { beginRequest, reasonOf, type RequestGuard } from '../outgoing/guarded-request.js';

/** Maximum bytes read of a response body, which is ignored. */
const MOST_READ_BYTES = 64 * 1024;

export interface HttpSenderOptions extends RequestGuard {
  /** From the address lookup to the last byte of the response, ms. */
  readonly timeout_ms: number;
  readonly user_agent: string;
}

/** Posts deliveries, signed as in Standard Webhooks (https://www.standardwebhooks.com). */
export class HttpSender implements WebhookSender {
  constructor(private readonly options: HttpSenderOptions) {}

  async send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse> {
    try {
      return await this.post(request, signal);
    } catch (error) {
      const reason = signal.aborted ? 'the service was shut down' : reasonOf(error);
      return { status: null, reason };
    }
  }

  private post(request: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<WebhookResponse>();
    const { timeout_ms } = this.options;
    const sent = beginRequest(
      new URL(request.url),
      {
        method: 'POST',
        headers: this.headers(request),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]),
      },
      this.options,
    );
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
}
