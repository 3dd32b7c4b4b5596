import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public by number, yet answered by the machine's own host: where Azure serves its metadata. */
const HOST_ADDRESSES = new Set(['168.63.129.16']);

/** All of IPv6 that is given out as global unicast (RFC 4291, IANA's registry of the address space). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True for an address of the open internet: not loopback, private, link-local (where clouds serve their
 * metadata), site-local, carrier-grade, multicast, reserved, nor a form of IPv6 that carries an IPv4 address
 * (compatible, NAT64, 6to4, Teredo). Of these only the IPv4-mapped form counts, as the address it carries:
 * that is what is connected to.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  // A zone belongs to link-local addresses only.
  if (version === 0 || address.includes('%')) return false;
  const written = ipaddr.parse(version === 6 ? inHex(address) : address);
  const is_mapped = written instanceof ipaddr.IPv6 && written.isIPv4MappedAddress();
  const parsed = is_mapped ? written.toIPv4Address() : written;
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) return false;
  return parsed.range() === 'unicast' && !HOST_ADDRESSES.has(parsed.toString());
}

/** Without a part in dots: `ipaddr.js` takes `::127.0.0.1` for `::ffff:127.0.0.1`. */
function inHex(address: string): string {
  return hostOf(new URL(`http://[${address}]/`));
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
