import type { HeadAnswer, HeadSender } from '../../../libs/application/directory/object-checks.js';
import type { SignedHead } from '../../../libs/application/directory/signing.js';
import { beginRequest, isNotPublic, reasonOf, type RequestGuard } from './guarded-request.js';

export interface HeadRequestOptions extends RequestGuard {
  readonly user_agent: string;
}

/** Asks buckets at addresses that users chose. */
export class HeadRequests implements HeadSender {
  constructor(private readonly options: HeadRequestOptions) {}

  async send(request: SignedHead, signal: AbortSignal): Promise<HeadAnswer> {
    try {
      return await this.head(request, signal);
    } catch (error) {
      return { status: null, reason: reasonOf(error), is_lasting: isNotPublic(error) };
    }
  }

  private head({ url, headers }: SignedHead, signal: AbortSignal): Promise<HeadAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<HeadAnswer>();
    const sent = beginRequest(
      new URL(url),
      { method: 'HEAD', headers: { ...headers, 'user-agent': this.options.user_agent }, signal },
      this.options,
    );
    sent.on('response', (response) => {
      const { statusCode: status, headers: received } = response;
      // A HEAD has no body; nothing that a server sends all the same is read.
      response.destroy();
      const texts = Object.entries(received).filter(([, value]) => typeof value === 'string');
      resolve({ status: status!, headers: Object.fromEntries(texts) as Record<string, string> });
    });
    sent.on('error', reject);
    // Closed without response or error, for example after an unrequested protocol switch.
    sent.on('close', () => setImmediate(reject, new Error('no response')));
    sent.end();
    return promise;
  }
}
