import { Random } from '../../bench/harness/random.js';
import { organizationOf } from '../../support/client.js';
import { repeatFrom } from '../../support/seeded.js';
import { TestService } from '../../support/service.js';
import { Signer } from '../../support/signer.js';
import { Generator } from './generate.js';
import type { Request } from './model.js';
import { type Clock, Difference, Play, show } from './play.js';

const RUNS = Number(process.env.RIGHTS_RUNS ?? 8);
const REQUESTS = Number(process.env.RIGHTS_REQUESTS ?? 120);
/** Each run has the next seed. */
const SEED = Number(process.env.RIGHTS_SEED ?? 20_261_128);
const SECONDS_TO_SHRINK = Number(process.env.RIGHTS_SHRINK_SECONDS ?? 120);
const COMPARED_EVERY = 12;

describe('rights in random sequences of requests', () => {
  const clock: Clock = { now: Date.UTC(2030, 0, 1) };
  let service: TestService;
  let signers: Signer[];
  let accepted = 0;
  let refused = 0;

  beforeAll(async () => {
    repeatFrom(`rights ${SEED}`);
    service = await TestService.start({}, { clock: () => clock.now });
    signers = Array.from({ length: 5 }, () => new Signer());
  });
  afterAll(() => service.stop());

  async function begin(): Promise<Play> {
    const admin = { name: 'Owner', secret_entropy: 'rights' };
    const { data } = await service.client().post('/v1/factory/quickstart', { admin });
    const played = new Play(organizationOf(service.url, data), signers, clock);
    await played.begin();
    return played;
  }

  /** Plays requests; gives those up to the first difference, and what differs. */
  async function play(
    next: (played: Play, n: number) => Request | undefined,
    compared_every: number,
  ): Promise<{ requests: Request[]; difference: string | null }> {
    const requests: Request[] = [];
    const played = await begin();
    try {
      for (let n = 0; ; n++) {
        const request = next(played, n);
        const is_last = request === undefined;
        if (is_last || n % compared_every === compared_every - 1)
          await played.compare(is_last || n % (3 * compared_every) === 0, n);
        if (is_last) {
          accepted += played.accepted;
          refused += played.refused;
          return { requests, difference: null };
        }
        requests.push(request);
        await played.step(request);
      }
    } catch (error) {
      if (!(error instanceof Difference)) throw error;
      return { requests, difference: error.message };
    }
  }

  function random(seed: number): ReturnType<typeof play> {
    const ids = signers.map(({ user_id }) => user_id);
    const generator = new Generator(new Random(seed), ids);
    const setup = generator.setup();
    return play((played, n) => {
      if (n >= REQUESTS) return undefined;
      const prepared = setup[n];
      return prepared ? { n, ...prepared } : generator.next(played.world, clock.now, n);
    }, COMPARED_EVERY);
  }

  /** Leaves out requests for as long as something differs. */
  async function shrink(
    requests: Request[],
    difference: string,
    until: number,
  ): Promise<[Request[], string]> {
    let smallest: [Request[], string] = [requests, difference];
    for (let size = requests.length >> 1; size >= 1; size >>= 1)
      for (let at = smallest[0].length - size; at >= 0 && Date.now() < until; at -= size) {
        const rest = smallest[0].toSpliced(at, size);
        const again = await play((_, n) => rest[n], Infinity);
        if (again.difference) smallest = [again.requests, again.difference];
      }
    return smallest;
  }

  it(
    'are those of the contract: statuses of requests and what everybody sees',
    async () => {
      process.stdout.write(`rights: seed ${SEED}, ${RUNS} runs of ${REQUESTS} requests\n`);
      const failures: string[] = [];
      const shrink_until = Date.now() + SECONDS_TO_SHRINK * 1000;
      for (let run = 0; run < RUNS; run++) {
        const { requests, difference } = await random(SEED + run);
        if (!difference) continue;
        const [smallest, differs] = await shrink(requests, difference, shrink_until);
        const shown = smallest.map(show).join('\n');
        failures.push(`RIGHTS_SEED=${SEED + run}: after these requests\n${shown}\n${differs}\n`);
      }
      expect(failures.join('\n')).toBe('');
      process.stdout.write(`rights: ${accepted} requests accepted, ${refused} refused\n`);
      // The sequences have to do something, and to try what is not allowed.
      expect(Math.min(accepted, refused)).toBeGreaterThan((RUNS * REQUESTS) / 8);
    },
    (RUNS * 60 + SECONDS_TO_SHRINK + 60) * 1000,
  );
});
