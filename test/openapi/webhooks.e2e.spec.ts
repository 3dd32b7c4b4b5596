import { Ajv2020 } from 'ajv/dist/2020.js';
import { exampleOf } from '../../libs/domain/webhooks/occurring/examples.js';
import { WEBHOOK_EVENTS } from '../../libs/domain/webhooks/record.js';
import { openApiDocument } from '../../apps/api/openapi-document.js';

describe('webhooks in the API document', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  let webhooks: Record<string, { post: { operationId: string } }>;

  beforeAll(async () => {
    const document = (await openApiDocument()) as unknown as { webhooks: typeof webhooks };
    ajv.addSchema(document, 'document');
    ({ webhooks } = document);
  });

  it('are all events, each with its own operation id', () => {
    expect(Object.keys(webhooks)).toEqual([...WEBHOOK_EVENTS]);
    const ids = Object.values(webhooks).map(({ post }) => post.operationId);
    expect(new Set(ids).size).toBe(WEBHOOK_EVENTS.length);
  });

  it.each(WEBHOOK_EVENTS)('describe the deliveries of %s', (event) => {
    const schema = `webhooks/${event}/post/requestBody/content/application~1json/schema`;
    const check = ajv.compile({ $ref: `document#/${schema}` });
    const delivery = {
      event,
      timestamp_ms: 1,
      nonce: 1,
      webhook_id: 'WebhookID_example',
      webhook_alt_index: 'ALL_FILES',
      payload: exampleOf(event, 1),
    };
    expect([check(delivery), check.errors]).toEqual([true, null]);
    // Another event, and a side of another kind.
    expect(check({ ...delivery, event: 'none' })).toBe(false);
    const [side] = Object.keys(delivery.payload);
    expect(check({ ...delivery, payload: { [side!]: { type: 'none' } } })).toBe(false);
  });
});
