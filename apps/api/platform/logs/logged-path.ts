import type { FastifyRequest } from 'fastify';

/**
 * The path of a request as it may be logged: without its query string, where tokens travel, and as
 * the pattern of its route if it holds the id of a gift card, which suffices to redeem the card.
 */
export function loggedPath({ url, params, routeOptions }: FastifyRequest): string {
  const { giftcard_id } = (params ?? {}) as { giftcard_id?: string };
  return (giftcard_id && routeOptions.url) || url.split('?', 1)[0]!;
}
