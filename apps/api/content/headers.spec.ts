import { mediaTypeOf } from './headers.js';

describe('mediaTypeOf', () => {
  it.each([
    'text/plain',
    'image/svg+xml',
    'text/plain; charset=utf-8',
    'text/plain;charset="utf-8";',
    'text/plain ; ; format=flowed',
    'text/plain; title="a \\"b\\"; c" ; x',
    'multipart/related; type=application/xop+xml; start="<a@b>"',
    `text/plain;${' '.repeat(200)}a=b`,
    `a/b${';'.repeat(252)}`,
  ])('keeps %s', (type) => expect(mediaTypeOf(type)).toBe(type));

  it.each([
    'png',
    '/',
    'image/',
    'image png',
    'text/plain; a="b',
    'text/plain; "b"',
    'text/plain; a="b"c',
    'text/plain; a=b c',
    'text/plain\r\nX-Header: y',
    'text/plän',
    `text/${'a'.repeat(251)}`,
    // Trying all ways to take one of these apart would take longer than a life.
    `a/b${';'.repeat(251)}"`,
    `a/b${'; '.repeat(125)}"`,
    `a/b${';a=""'.repeat(50)}"`,
    `a/b;${' '.repeat(250)}"`,
    `a/b;a="${'\\"'.repeat(120)}`,
  ])('refuses %s', (type) => {
    expect(() => mediaTypeOf(type)).toThrow('The Content-Type must be a media type.');
  });

  it('takes an absent or empty header as none', () => {
    expect([mediaTypeOf(undefined), mediaTypeOf('')]).toEqual([undefined, undefined]);
  });
});
