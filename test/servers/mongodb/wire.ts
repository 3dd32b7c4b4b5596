import type { CommandStartedEvent } from 'mongodb';

import { read, section } from '../../docs/markdown.js';

/** What the driver says with every command, or sends by itself. */
const BY_ITSELF = ['$db', 'lsid', 'txnNumber', '$clusterTime', '$readPreference'];

const WRITES = ['insert', 'update', 'delete', 'findAndModify'];
/** How every write is to be acknowledged. */
const SAFELY = JSON.stringify({ w: 'majority', wtimeout: 10_000, j: true });
/** The collection of counts: of nonces, and for rate limits, whose writes do not wait for a majority. */
const COUNTS = 'side_windows';
const QUICKLY = JSON.stringify({ w: 1 });

/** A row of the documentation's table: commands, and every name that it says of them. */
interface Row {
  readonly commands: readonly string[];
  readonly names: ReadonlySet<string>;
  readonly text: string;
}

const namesIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

function documented(): readonly Row[] {
  const asked = section(read('docs/read-model-mongodb.md'), '## What is asked of MongoDB');
  const rows = asked.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((text) => {
    const [, commands = ''] = text.split('|');
    return { commands: namesIn(commands), names: new Set(namesIn(text)), text };
  });
}

/** Everything that was said to a server: commands with their options, and operators. */
export class Wire {
  private readonly options = new Map<string, Set<string>>();
  private readonly operators = new Set<string>();
  /** Writes that ask for less than the documentation says. */
  private readonly weak = new Set<string>();

  note({ commandName, command }: Pick<CommandStartedEvent, 'commandName' | 'command'>): void {
    let options = this.options.get(commandName);
    if (!options) this.options.set(commandName, (options = new Set()));
    for (const [name, value] of Object.entries(command as object)) {
      if (name === commandName || BY_ITSELF.includes(name)) continue;
      this.noteOperators(value);
      if (name !== 'writeConcern') options.add(name);
    }
    // The driver waits for no answer when it ends sessions.
    const is_write = WRITES.includes(commandName) || 'writeConcern' in command;
    if (is_write && commandName !== 'endSessions') {
      const concern = JSON.stringify(command.writeConcern);
      if (concern !== SAFELY && !(concern === QUICKLY && command[commandName] === COUNTS))
        this.weak.add(`${commandName}: writeConcern ${concern}`);
    }
  }

  /** Names of the commands, without those that the driver sends by itself. */
  get commands(): readonly string[] {
    const by_itself = documented().find(({ text }) => text.includes('of the driver'))!;
    return [...this.options.keys()].filter((name) => !by_itself.names.has(name)).toSorted();
  }

  /** Commands that the documentation lists. @param stores `read model`: without those of side stores only */
  static documented(stores: 'all' | 'read model'): readonly string[] {
    return documented()
      .filter(({ text }) => stores === 'all' || !text.includes('side stores only'))
      .flatMap(({ commands }) => commands)
      .toSorted();
  }

  /** What was said and the documentation does not list. */
  undocumented(): readonly string[] {
    const rows = documented();
    const all = new Set(rows.flatMap(({ names }) => [...names]));
    const operators = [...this.operators].filter((operator) => !all.has(operator));
    const unknown = [...this.weak, ...operators];
    for (const name of this.commands) {
      const row = rows.find(({ commands }) => commands.includes(name));
      for (const option of this.options.get(name)!)
        if (!row?.names.has(option)) unknown.push(`${name}: ${option}`);
    }
    return unknown;
  }

  private noteOperators(value: unknown): void {
    if (Array.isArray(value)) for (const one of value) this.noteOperators(one);
    else if (typeof value === 'object' && value !== null && isPlain(value))
      for (const [name, inner] of Object.entries(value)) {
        if (name.startsWith('$')) this.operators.add(name);
        this.noteOperators(inner);
      }
  }
}

/** Not bytes, ids or the like. */
function isPlain(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Object]' && !('_bsontype' in value);
}
