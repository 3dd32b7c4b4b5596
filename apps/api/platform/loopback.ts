import ipaddr from 'ipaddr.js';

/** True for a host that only this machine can reach: `localhost`, or an address as net.listen takes it. */
export function isLoopback(host: unknown): boolean {
  if (typeof host !== 'string') return false;
  if (/^localhost$/i.test(host)) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}
