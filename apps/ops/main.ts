import { Command } from 'commander';
import { NewerSchema, UnusableKey, WrongMasterKey } from '../../libs/event-store/sqlite/index.js';
import { verifyCommand } from './verify.js';

/** What an operator can mend; each says how in its message. */
const EXPECTED = [NewerSchema, UnusableKey, WrongMasterKey];

const program = new Command('ops')
  .description('What operators and auditors do beside the running service')
  .addCommand(verifyCommand());

program.parseAsync().catch((error: unknown) => {
  const is_expected = EXPECTED.some((kind) => error instanceof kind);
  const { code } = error as NodeJS.ErrnoException;
  console.error(is_expected || code === 'ENOENT' ? (error as Error).message : error);
  process.exitCode = 2;
});
