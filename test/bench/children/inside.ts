import type { RowModule } from '../harness/row.js';
import { obey, say } from './parent.js';

/** Runs the inside part of a module of the bench: `inside.js rows/fold <input as JSON>`. */
const [name, input] = process.argv.slice(2);
if (!name || !/^[a-z]+\/[a-z-]+$/.test(name)) throw new Error('name a module of the bench');
const module = (await import(`../${name}.js`)) as RowModule;
if (!module.inside) throw new Error(`${name} has no part inside a process`);
obey(async () => {});
const result = await module.inside(JSON.parse(input ?? 'null') as never, (text) =>
  say({ says: 'progress', text }),
);
say({ says: 'result', result });
