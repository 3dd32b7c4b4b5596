/** Fields with secrets, which answers about the past mask. */
const MASKED = new Set(['redeem_code', 'auth_json', 'signature', 'endpoint_secret']);

/** An answer without what the contract ties to the present: secrets, presence, the request's id. */
export function asThen(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((element) => asThen(element));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => key !== 'request_id')
        .map(([key, member]) => [key, asThen(member, key)]),
    );
  if (name === 'last_online_ms') return 0;
  return MASKED.has(name) && value ? '***' : value;
}
