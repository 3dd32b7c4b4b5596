const MOST_TOPIC_CHARS = 256;

export type Message =
  | { readonly type: 'subscribe' | 'unsubscribe'; readonly topics: readonly string[] }
  | { readonly type: 'publish'; readonly topic: string }
  | { readonly type: 'ping' };

/** Parses one message. The error is a sentence for its sender. */
export function readMessage(text: string): Message | { readonly error: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { error: 'a message must be JSON' };
  }
  if (typeof parsed !== 'object' || parsed === null)
    return { error: 'a message must be a JSON object' };
  const { type, topic, topics } = parsed as Readonly<Record<string, unknown>>;
  switch (type) {
    case 'ping':
      return { type };
    case 'publish':
      return isTopic(topic) ? { type, topic } : { error: `topic must be ${TOPIC}` };
    case 'subscribe':
    case 'unsubscribe':
      if (!Array.isArray(topics) || !topics.every(isTopic))
        return { error: `topics must be an array, each ${TOPIC}` };
      return { type, topics };
    default:
      return { error: 'type must be subscribe, unsubscribe, publish or ping' };
  }
}

const TOPIC = `text of 1–${MOST_TOPIC_CHARS} characters`;

function isTopic(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MOST_TOPIC_CHARS;
}
