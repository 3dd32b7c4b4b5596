import { type LookupAddress, lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

/** Maximum wait for one answer of a name server, ms. */
const ANSWER_MS = 2_000;
/** Lookups by the system that may wait for their turn. */
const MOST_WAITING = 32;

interface HostAddressesOptions {
  /** Name servers (`address:port`) instead of those of the system; for tests. */
  readonly servers?: readonly string[];
  /** The system's lookup; for tests. */
  readonly system?: LookupFunction;
}

/**
 * Addresses of hosts that users chose. `dns.lookup` looks up two names at a time in a process: names whose servers do
 * not answer would hold up those of all organizations, for ten seconds each. The name servers are therefore asked
 * without it. Only names that they do not know, such as those of the hosts file, are looked up by the system, one at a
 * time.
 */
export class HostAddresses {
  private readonly resolver = new Resolver({ timeout: ANSWER_MS, tries: 1 });
  private readonly system: LookupFunction;
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor({ servers, system = lookup }: HostAddressesOptions = {}) {
    if (servers) this.resolver.setServers(servers);
    this.system = system;
  }

  /** As `dns.lookup` with the option `all`. */
  readonly lookup: LookupFunction = (host, options, found) => {
    this.addressesOf(host, options).then(
      (addresses) => found(null, addresses),
      (error: NodeJS.ErrnoException) => found(error, []),
    );
  };

  private async addressesOf(
    host: string,
    options: Parameters<LookupFunction>[1],
  ): Promise<LookupAddress[]> {
    // A name without a dot belongs to this machine or its network.
    const addresses = host.includes('.') ? await this.asked(host) : [];
    return addresses.length > 0 ? addresses : this.systemsInTurn(host, options);
  }

  private async asked(host: string): Promise<LookupAddress[]> {
    const [of_4, of_6] = await Promise.all([
      this.resolver.resolve4(host).catch(() => []),
      this.resolver.resolve6(host).catch(() => []),
    ]);
    return [
      ...of_4.map((address) => ({ address, family: 4 })),
      ...of_6.map((address) => ({ address, family: 6 })),
    ];
  }

  private async systemsInTurn(
    host: string,
    options: Parameters<LookupFunction>[1],
  ): Promise<LookupAddress[]> {
    if (this.waiting >= MOST_WAITING)
      throw Object.assign(new Error('too many lookups'), { code: 'EAI_AGAIN' });
    this.waiting += 1;
    const looking = this.last
      .then(() => this.systems(host, options))
      .finally(() => (this.waiting -= 1));
    this.last = looking.catch(() => {});
    return looking;
  }

  private systems(host: string, options: Parameters<LookupFunction>[1]): Promise<LookupAddress[]> {
    const { promise, resolve, reject } = Promise.withResolvers<LookupAddress[]>();
    this.system(host, { ...options, all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(typeof addresses === 'string' ? [] : addresses);
    });
    return promise;
  }
}
