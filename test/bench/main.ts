import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CLIENT } from './harness/load.js';
import { circumstances, page, table } from './harness/report.js';
import type { Bench, Line, Row } from './harness/row.js';
import { row as actions } from './rows/actions.js';
import { row as asOf } from './rows/as-of.js';
import { row as coldLoad } from './rows/cold-load.js';
import { row as commandN } from './rows/command-n.js';
import { row as commands } from './rows/commands.js';
import { row as timeline } from './rows/console.js';
import { row as content } from './rows/content.js';
import { row as directory } from './rows/directory.js';
import { row as fold } from './rows/fold.js';
import { row as growth } from './rows/growth.js';
import { row as largeCommands } from './rows/large-commands.js';
import { row as listeners } from './rows/listeners.js';
import { row as memory } from './rows/memory.js';
import { row as npmStart } from './rows/npm-start.js';
import { row as permission } from './rows/permission.js';
import { row as proofs } from './rows/proofs.js';
import { row as reads } from './rows/reads.js';
import { row as reindex } from './rows/reindex.js';
import { row as replay } from './rows/replay.js';
import { row as search } from './rows/search.js';
import { row as searchMongodb } from './rows/search-mongodb.js';
import { row as snapshots } from './rows/snapshots.js';
import { row as stalls } from './rows/stalls.js';
import { row as start } from './rows/start.js';
import { row as sustained } from './rows/sustained.js';

/** In the order of the design's table. */
const ROWS: readonly Row[] = [
  commands,
  actions,
  snapshots,
  reads,
  search,
  directory,
  content,
  growth,
  sustained,
  searchMongodb,
  timeline,
  fold,
  coldLoad,
  largeCommands,
  stalls,
  replay,
  asOf,
  proofs,
  reindex,
  commandN,
  permission,
  memory,
  listeners,
  start,
  npmStart,
];

const USAGE = `npm run bench -- [--quick] [--only <row>]… [--json] [--write <file>] [--profile <folder>]

  --quick    fewer rounds and smaller data: minutes instead of a quarter of an hour
  --only     only this row; may be given several times: ${ROWS.map(({ name }) => name).join(', ')};
             those that need a server or Chromium run only so: ${ROWS.filter(
               ({ is_by_hand }) => is_by_hand,
             )
               .map(({ name }) => name)
               .join(', ')}
  --json     all figures as JSON instead of the table
  --write    writes the table to a Markdown file
  --profile  writes processor profiles of the processes under test to a folder

Seeded data are kept in a folder of the system's for temporary files and used again.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      write: { type: 'string' },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const chosen = ROWS.filter(({ name, is_by_hand }) =>
    values.only.length === 0 ? !is_by_hand : values.only.includes(name),
  );
  const unknown = values.only.filter((name) => !ROWS.some((row) => row.name === name));
  if (unknown.length > 0) throw new Error(`no row ${unknown.join(', ')}\n\n${USAGE}`);
  const [load_before = 0] = loadavg();
  const scratch = await mkdtemp(join(tmpdir(), 'drive-bench-run-'));
  const bench: Bench = {
    is_quick: values.quick,
    profile: values.profile,
    progress: (text) => console.error(`  ${text}`),
    folder: () => mkdtemp(join(scratch, 'data-')),
  };
  if (values.profile) await mkdir(values.profile, { recursive: true });
  console.error(`load client: ${CLIENT}`);
  const lines: Line[] = [];
  try {
    for (const row of chosen) {
      console.error(`${row.name} (load average ${loadavg()[0]!.toFixed(1)})`);
      lines.push(...(await row.run(bench)));
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  const given = process.argv.slice(2).filter((part) => part !== values.write && part !== '--write');
  const about = circumstances(
    `npm run bench${given.length > 0 ? ` -- ${given.join(' ')}` : ''}`,
    load_before,
  );
  console.log(values.json ? JSON.stringify({ ...about, lines }, null, 2) : table(lines));
  if (values.write) await writeFile(values.write, page(lines, about));
}

await main();
