import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { read, REPOSITORY } from './markdown.js';

const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(REPOSITORY, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
];

/** The anchor that a heading gets, as Markdown viewers make it. */
function anchors(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

function brokenLinks(document: string): string[] {
  const links = [...read(document).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, to]) => to!);
  return links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? document : join(dirname(document), path);
    if (!existsSync(resolve(REPOSITORY, target))) return true;
    return anchor !== undefined && !anchors(read(target)).includes(anchor);
  });
}

/** Paths of the repository that a document names in code marks, but for files of which it gives the text. */
function missingPaths(document: string): string[] {
  const markdown = read(document);
  const given = new Set([...markdown.matchAll(/^`(.+)`\n\n```/gm)].map(([, path]) => path));
  const named = [...markdown.matchAll(/`((?:apps|libs|test|docs)\/[\w./-]+)`/g)];
  return named
    .map(([, path]) => path!)
    .filter((path) => !given.has(path) && !existsSync(resolve(REPOSITORY, path)));
}

describe.each(DOCUMENTS)('%s', (document) => {
  it('links only to what is there', () => {
    expect(brokenLinks(document)).toEqual([]);
  });

  it('names only files and folders that are there', () => {
    expect(missingPaths(document)).toEqual([]);
  });
});
