import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Malformed, sha256 } from './hashes.js';
import { checkpointText, noteKeyId, openNote, parseCheckpoint, signedNote } from './note.js';

/** Key and note from the documentation of Go's golang.org/x/mod/sumdb/note. */
const NAME = 'PeterNeumann';
const VERIFIER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const NOTE =
  'If you think cryptography is the answer to your problem,\n' +
  "then you don't know what your problem is.\n\n" +
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const [, key_id, encoded] = VERIFIER.split('+', 2).concat(VERIFIER.split('+').slice(2).join('+'));
const key = Buffer.from(encoded!, 'base64').subarray(1);

describe('a signed note', () => {
  it('of another implementation opens with its key, under the same key id', () => {
    expect(noteKeyId(NAME, key).toString('hex')).toBe(key_id);
    expect(openNote(NOTE, NAME, key)).toBe(NOTE.slice(0, NOTE.indexOf('\n\n') + 1));
  });

  it('does not open changed, under another name or key, or without that key’s signature', () => {
    expect(openNote(NOTE.replace('answer', 'Answer'), NAME, key)).toBeNull();
    expect(openNote(NOTE, 'Peter', key)).toBeNull();
    expect(openNote(NOTE, NAME, sha256('another key'))).toBeNull();
    expect(openNote(NOTE.slice(0, NOTE.indexOf('—')), NAME, key)).toBeNull();
    expect(openNote(NOTE.slice(0, -1), NAME, key)).toBeNull();
    expect(openNote(NOTE.replace('you', '\tyou'), NAME, key)).toBeNull();
    expect(openNote('no note', NAME, key)).toBeNull();
  });

  it('made here opens, also with signatures of others beside', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const text = checkpointText({ origin: 'log.example/a', size: 7, root: sha256('root') });
    const note = signedNote(text, 'log.example/a', raw, sign(null, Buffer.from(text), privateKey));
    const witness = `— witness.example ${Buffer.alloc(76, 1).toString('base64')}\n`;
    expect(openNote(note, 'log.example/a', raw)).toBe(text);
    expect(openNote(note + witness, 'log.example/a', raw)).toBe(text);
    expect(openNote(note + 'no signature\n', 'log.example/a', raw)).toBeNull();
    expect(parseCheckpoint(text)).toEqual({
      origin: 'log.example/a',
      size: 7,
      root: sha256('root'),
    });
  });

  it.each([
    ['a root of another length', 'log\n7\nAAAA\n'],
    ['a size with a zero before it', `log\n07\n${sha256('').toString('base64')}\n`],
    ['no last line end', `log\n7\n${sha256('').toString('base64')}`],
    ['no origin', `\n7\n${sha256('').toString('base64')}\n`],
  ])('is no checkpoint with %s', (_, text) => {
    expect(() => parseCheckpoint(text)).toThrow(Malformed);
  });
});
