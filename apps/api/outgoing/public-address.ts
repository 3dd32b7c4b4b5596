import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** In a public range, but served by the host of a virtual machine: Azure's metadata service. */
const HOST_ADDRESSES = new Set(['168.63.129.16']);

/** The range of IPv6 assigned as global unicast (RFC 4291, IANA's registry of the address space). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True for a public address. Not public are loopback, private, link-local (where clouds serve their metadata),
 * site-local, carrier-grade, multicast and reserved addresses, and IPv6 addresses that contain an IPv4 address
 * (compatible, NAT64, 6to4, Teredo). An IPv4-mapped address is judged as its IPv4 address, because the connection
 * goes there.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  // Only link-local addresses have a zone.
  if (version === 0 || address.includes('%')) return false;
  const written = ipaddr.parse(version === 6 ? inHex(address) : address);
  const is_mapped = written instanceof ipaddr.IPv6 && written.isIPv4MappedAddress();
  const parsed = is_mapped ? written.toIPv4Address() : written;
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) return false;
  return parsed.range() === 'unicast' && !HOST_ADDRESSES.has(parsed.toString());
}

/** An IPv6 address without dotted part, because `ipaddr.js` reads `::127.0.0.1` as `::ffff:127.0.0.1`. */
function inHex(address: string): string {
  return hostOf(new URL(`http://[${address}]/`));
}

/** False if the URL's host is not public. A host name is only known to be public after its lookup. */
export function mayBePublic(url: string): boolean {
  const host = hostOf(new URL(url));
  if (isIP(host)) return isPublicAddress(host);
  return !/(?:^|\.)localhost\.?$/.test(host);
}

/** The host without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
