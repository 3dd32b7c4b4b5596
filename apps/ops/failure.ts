/** Exit codes of the command line; 0 is success. */
export const EXIT = {
  /** The question was refused, or its answer says that something is wrong. */
  refused: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** The server or the data folder could not be reached. */
  unreachable: 3,
} as const;

/** What ends a command with a sentence for people. */
export class Failure extends Error {
  override readonly name = 'Failure';
  constructor(
    message: string,
    readonly exit_code: number,
  ) {
    super(message);
  }
}
