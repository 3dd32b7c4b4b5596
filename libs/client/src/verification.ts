import type { Answer, Call } from './call.js';
import { callOf } from './call.js';
import { messagesOf } from './event-stream.js';
import type { components } from './generated/api.js';
import { DRIVE_OPERATIONS } from './generated/api.js';
import { answerWith, request } from './requests.js';
import type { Transport } from './transport.js';
import type { Method, ReadOptions } from './types.js';

type Schemas = components['schemas'];
type Verify = Method<typeof DRIVE_OPERATIONS.organization.verify>;

export interface VerifyProgress {
  readonly checked_events: number;
  /** Events when the verification began; more may follow. */
  readonly events_total: number;
}

export interface VerifyOptions extends ReadOptions {
  /** Called with the progress, several times a second at most. A lost connection begins the verification anew. */
  readonly on_progress?: (progress: VerifyProgress) => void;
}

/** The function that verifies an organization; with progress it reads an event stream. */
export function verifyOf(transport: Transport, organization_id: string, plain: Verify) {
  return (
    body: Schemas['VerifyBody'] = {},
    options: VerifyOptions = {},
  ): Call<Schemas['Verification']> => {
    const { on_progress, ...common } = options;
    if (!on_progress) return plain(body, common);
    // Ends the request with an error of the caller's function, which else would pass for one of the connection.
    const stopping = new AbortController();
    const read = (response: Response): Promise<Answer<unknown>> =>
      resultOf(response, (progress) => {
        try {
          on_progress(progress);
        } catch (error) {
          stopping.abort(error);
          throw error;
        }
      });
    const signals = [stopping.signal, ...(common.signal ? [common.signal] : [])];
    const input = { path: { organization_id }, query: {}, body };
    const operation = DRIVE_OPERATIONS.organization.verify;
    const form = { accept: 'text/event-stream', read };
    const watched = { ...common, signal: AbortSignal.any(signals) };
    const answered = request(transport, operation, input, watched, form);
    return callOf(answered, () => answered) as Call<unknown> as Call<Schemas['Verification']>;
  };
}

async function resultOf(
  response: Response,
  on_progress: (progress: VerifyProgress) => void,
): Promise<Answer<unknown>> {
  for await (const { event, data } of messagesOf(response))
    if (event === 'progress') on_progress(JSON.parse(data) as VerifyProgress);
    else if (event === 'result') return answerWith(response, { ok: { data: JSON.parse(data) } });
  throw new Error('the event stream ended without a result');
}
