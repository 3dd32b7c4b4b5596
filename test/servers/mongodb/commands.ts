import { type CommandStartedEvent, type Db, MongoClient } from 'mongodb';

import { guaranteed } from '../../../libs/mongodb/client.js';

/** A database whose commands on the wire are noted. */
export interface WatchedDatabase {
  readonly db: Db;
  /** Names of the commands that something takes. Nothing else may use the connection meanwhile. */
  during(run: () => Promise<unknown>): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface WatchOptions {
  /** Hears every command. */
  readonly onCommand?: (event: CommandStartedEvent) => void;
  /**
   * True: bulks are sent as to MongoDB. The server for tests asks for 49 writes a command, which only many updates at
   * one time need.
   */
  readonly sends_whole_bulks?: boolean;
}

export async function watchDatabase(
  url: string,
  name: string,
  { onCommand, sends_whole_bulks = false }: WatchOptions = {},
): Promise<WatchedDatabase> {
  const options = { monitorCommands: true, ignoreUndefined: true };
  const client = await MongoClient.connect(url, options);
  if (sends_whole_bulks) sendWholeBulks(client);
  let commands: string[] = [];
  client.on('commandStarted', (event) => {
    onCommand?.(event);
    commands.push(event.commandName);
  });
  return {
    db: guaranteed(client, name),
    async during(run) {
      commands = [];
      await run();
      return commands;
    },
    close: () => client.close(),
  };
}

/** What MongoDB's greeting says: https://www.mongodb.com/docs/manual/reference/limits/ */
const WRITES_AT_ONCE = 100_000;

/** The driver asks the greeting how many writes a command may hold. */
function sendWholeBulks(client: MongoClient): void {
  const { topology } = client as unknown as { topology: { lastHello(): object } };
  const lastHello = topology.lastHello.bind(topology);
  topology.lastHello = () => ({ ...lastHello(), maxWriteBatchSize: WRITES_AT_ONCE });
}
