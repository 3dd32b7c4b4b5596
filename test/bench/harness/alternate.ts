import type { LoadClient, LoadOptions, LoadResult } from './load.js';
import type { Child } from './process.js';
import { median } from './statistics.js';

/** A server with its clients and what they ask. */
export interface Contestant {
  readonly child: Child;
  readonly client: LoadClient;
  readonly next: LoadOptions['next'];
}

/** One server's figures over all rounds, medians. */
export interface ServerFigures {
  readonly per_second: number;
  /** Time per request, µs: 1 / `per_second`. */
  readonly us: number;
  /** Processor time of the server per request, µs, all its threads. */
  readonly cpu_us: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Share of the time in which the server's event loop had work, 0–1. */
  readonly busy: number;
}

export interface Comparison {
  readonly tested: ServerFigures;
  readonly bare: ServerFigures;
  /** Medians of the differences and ratios of each round, µs and 1. */
  readonly above_us: number;
  readonly above_cpu_us: number;
  /** Requests a second, tested by bare. */
  readonly ratio: number;
}

/** How long two servers are compared. */
export interface Pace {
  readonly rounds: number;
  readonly round_ms: number;
  /** Long enough for the compiler to have done its work. */
  readonly warm_up_ms: number;
  /** See `LoadOptions`. */
  readonly spins?: boolean;
}

interface Round extends ServerFigures {
  readonly requests: number;
}

/** Loads two servers in turns, A B A B, after a warm-up of each. */
export async function alternate(
  tested: Contestant,
  bare: Contestant,
  { rounds, round_ms, warm_up_ms, spins = false }: Pace,
): Promise<Comparison> {
  for (const { client, next } of [bare, tested])
    await client.run({ duration_ms: warm_up_ms, next, spins });
  const of_tested: Round[] = [];
  const of_bare: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    of_bare.push(await measure(bare, round_ms, spins));
    of_tested.push(await measure(tested, round_ms, spins));
  }
  const pairs = of_tested.map((one, at) => [one, of_bare[at]!] as const);
  return {
    tested: mediansOf(of_tested),
    bare: mediansOf(of_bare),
    above_us: median(pairs.map(([a, b]) => a.us - b.us)),
    above_cpu_us: median(pairs.map(([a, b]) => a.cpu_us - b.cpu_us)),
    ratio: median(pairs.map(([a, b]) => a.per_second / b.per_second)),
  };
}

async function measure(
  { child, client, next }: Contestant,
  duration_ms: number,
  spins: boolean,
): Promise<Round> {
  const before = await child.usage();
  const { requests, seconds, per_second, p50_ms, p99_ms }: LoadResult = await client.run({
    duration_ms,
    next,
    spins,
  });
  const after = await child.usage();
  return {
    requests,
    per_second,
    us: 1e6 / per_second,
    cpu_us: (after.cpu_us - before.cpu_us) / requests,
    p50_ms,
    p99_ms,
    busy: (after.busy_ms - before.busy_ms) / (1000 * seconds),
  };
}

function mediansOf(rounds: readonly Round[]): ServerFigures {
  const middle = (of: keyof ServerFigures): number => median(rounds.map((round) => round[of]));
  return {
    per_second: middle('per_second'),
    us: middle('us'),
    cpu_us: middle('cpu_us'),
    p50_ms: middle('p50_ms'),
    p99_ms: middle('p99_ms'),
    busy: middle('busy'),
  };
}

/** Figures of a comparison for the table's record. */
export function figuresOf({ tested, bare, ...rest }: Comparison): Record<string, number> {
  const named = (prefix: string, of: ServerFigures): [string, number][] =>
    Object.entries(of).map(([name, value]) => [`${prefix}_${name}`, value as number]);
  return Object.fromEntries([
    ...Object.entries(rest),
    ...named('tested', tested),
    ...named('bare', bare),
  ]);
}
