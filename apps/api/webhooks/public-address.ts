import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public by number, yet answered by the machine's own host: where Azure serves its metadata. */
const HOST_ADDRESSES = new Set(['168.63.129.16']);

/**
 * True for an address of the open internet: not loopback, private, link-local (where clouds serve their
 * metadata), carrier-grade, multicast, reserved, nor a form of IPv6 that carries an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && !HOST_ADDRESSES.has(parsed.toString());
}

/** False where the URL's host alone tells that it is not on the open internet; names may turn out so later. */
export function mayBePublic(url: string): boolean {
  const host = hostOf(new URL(url));
  if (isIP(host)) return isPublicAddress(host);
  return !/(?:^|\.)localhost\.?$/.test(host);
}

/** The host without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
