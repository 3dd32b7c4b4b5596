import { read } from './markdown.js';

interface Locked {
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Readonly<Record<string, Locked>>;
};

/** Whether a package's dependency is found as Node.js looks for it: beside the package, then further up. */
function isLocked(path: string, name: string): boolean {
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('node_modules/')).replace(/\/$/, '')) {
    if (packages[`${at && `${at}/`}node_modules/${name}`]) return true;
    if (at === '') return false;
  }
}

describe('package-lock.json', () => {
  it('names the packages of all platforms, without which npm ci refuses it', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
    );
    expect(missing).toEqual([]);
  });

  it('holds no addresses to download from', () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});
