import { EXIT } from '../failure.js';
import { openingOf, protectionOf } from './files.js';

describe('the passphrase of a key file', () => {
  /** A terminal with a person who answers with these texts. */
  const answering = (...answers: string[]) => {
    const questions: string[] = [];
    const askSecret = async (question: string): Promise<string> => {
      questions.push(question);
      return answers.shift()!;
    };
    const terminal = { out: () => {}, err: () => {}, is_watched: true, env: {}, askSecret };
    return { questions, terminal };
  };

  it('is asked for twice when a file is made, and once when it is opened', async () => {
    const making = answering('correct horse', 'correct horse');
    expect(await protectionOf({}, making.terminal)).toEqual({ passphrase: 'correct horse' });
    expect(making.questions).toEqual(['Passphrase: ', 'Repeat: ']);
    const opening = answering('correct horse');
    expect(await openingOf({}, opening.terminal)).toEqual({ passphrase: 'correct horse' });
    expect(opening.questions).toEqual(['Passphrase: ']);
  });

  it.each([
    ['entered differently', ['correct horse', 'correct hose'], 'The two passphrases differ.'],
    ['that is short', ['short', 'short'], /^A passphrase needs \d+ characters or more\.$/],
  ])('one %s is refused, and not repeated in the message', async (_, answers, message) => {
    const { terminal } = answering(...answers);
    await expect(protectionOf({}, terminal)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      exit_code: EXIT.usage,
    });
  });

  it('is not asked for where a variable has it', async () => {
    const { questions, terminal } = answering();
    const env = { KEYS_PASSPHRASE: 'correct horse' };
    expect(await protectionOf({}, { ...terminal, env })).toEqual({ passphrase: 'correct horse' });
    expect(questions).toEqual([]);
  });

  it('without a terminal, the message says how it can be given', async () => {
    const { askSecret: _, ...terminal } = answering().terminal;
    await expect(protectionOf({}, terminal)).rejects.toThrow('KEYS_PASSPHRASE');
    await expect(openingOf({}, terminal)).rejects.toThrow('--private-key');
  });
});
