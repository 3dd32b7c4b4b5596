import { dispositionOf, mediaTypeOf } from './media-type.js';

describe('media type and disposition of an object', () => {
  it.each([
    ['a.PDF', 'application/pdf', 'inline'],
    ['a.tar.gz', 'application/gzip', 'attachment'],
    ['page.html', 'text/html; charset=utf-8', 'attachment'],
    ['drawing.svg', 'image/svg+xml', 'attachment'],
    ['a.constructor', 'application/octet-stream', 'attachment'],
    ['nothing', 'application/octet-stream', 'attachment'],
  ])('%s is %s, %s', (name, type, kind) => {
    expect(mediaTypeOf(name)).toBe(type);
    expect(dispositionOf(name)).toBe(`${kind}; filename="${name}"; filename*=UTF-8''${name}`);
  });

  it.each([
    ['Zoë’s plan.txt', 'Zo__s plan.txt', 'Zo%C3%AB%E2%80%99s%20plan.txt'],
    ['a"b\\c%41.txt', 'a_b_c_41.txt', 'a%22b%5Cc%2541.txt'],
    ['${filename}.txt', '__filename_.txt', '%24%7Bfilename%7D.txt'],
    ["it's (1)*.txt", "it's (1)*.txt", 'it%27s%20%281%29%2A.txt'],
    ['half \ud800.txt', 'half _.txt', 'half%20%EF%BF%BD.txt'],
  ])('%j becomes a name that is safe in headers and forms', (name, plain, whole) => {
    expect(dispositionOf(name)).toBe(`inline; filename="${plain}"; filename*=UTF-8''${whole}`);
  });
});
