import { readFileSync } from 'node:fs';
import { EXIT, Failure } from './failure.js';

/** The whole text of a file that an option names. @throws Failure, which shows none of the text */
export function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Failure(`${file} cannot be read.`, EXIT.usage);
  }
}
