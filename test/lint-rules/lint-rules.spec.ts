import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const DIRECTION = 'eslint(no-restricted-imports)';

/** One import per line of a file: what it may not have and, below, what it may. */
const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  'libs/domain/groups/decide.ts': [
    'node:crypto',
    'rxjs',
    'fast-check',
    '@nestjs/common',
    '../../engine/drives/drives.js',
    '../../event-store/port.js',
    '../../read-model/port.js',
    '../../identity/ids.js',
    '../../application/groups/groups.js',
    '../../../apps/api/refusals.js',
    './../../identity/ids.js',
    '../../a-new-library/index.js',
    '../testing/drive.js',
    '../drive/state.js',
  ],
  'libs/domain/kernel/indexes/pins.ts': ['../../foundation/state.js', '../../groups/record.js'],
  'libs/domain/kernel/table.ts': ['../foundation/state.js', '../groups/record.js', 'node:util'],
  'libs/domain/foundation/state.ts': [
    '../access/access.js',
    '../relations/cascade.js',
    '../groups/record.js',
    '../drive/state.js',
  ],
  'libs/domain/access/access.ts': [
    '../relations/cascade.js',
    '../groups/record.js',
    '../drive/state.js',
    '../../engine/drives/drives.js',
  ],
  'libs/domain/relations/cascade.ts': ['../groups/record.js', '../drive/state.js'],
  'libs/domain/directory/rules/ceiling.ts': [
    '../../../engine/drives/drives.js',
    '../../drive/state.js',
    'node:util',
  ],
  'libs/domain/groups/groups.spec.ts': [
    'node:fs',
    '../../engine/drives/drives.js',
    '../../application/groups/groups.js',
    '../../../test/support/service.js',
  ],
  'libs/engine/drives/drives.ts': [
    '@nestjs/common',
    '@nestjs/cqrs',
    'fastify',
    'node:http',
    'node:fs',
    'node:sqlite',
    '../../event-store/sqlite/index.js',
    '../../event-store/memory/index.js',
    '../../event-store/find-by-time.js',
    '../../read-model/memory/memory-read-model.js',
    '../../identity/token.js',
    '../../application/pages/cursor.js',
    '../../../apps/api/server.js',
    '../testing/engine.js',
    '../../domain/testing/drive.js',
  ],
  'libs/engine/drives/drives.spec.ts': [
    '../../application/pages/cursor.js',
    '@nestjs/common',
    'node:http',
  ],
  'libs/event-store/port.ts': ['../domain/drive/events.js', '../engine/drives/drives.js'],
  'libs/event-store/sqlite/event-store.ts': [
    '../memory/index.js',
    '../../engine/drives/drives.js',
    '../../domain/drive/events.js',
    '../../application/pages/cursor.js',
    '../../read-model/port.js',
    '@nestjs/common',
  ],
  'libs/event-store/sqlite/files/database.ts': [
    '../../memory/index.js',
    '../../../engine/drives/drives.js',
    '../../../read-model/port.js',
  ],
  'libs/event-store/sqlite/planted.int.spec.ts': [
    '../memory/index.js',
    '../../engine/drives/drives.js',
    '../../../test/support/service.js',
  ],
  'libs/read-model/memory/testing/model.ts': [
    '../../mongodb/stored.js',
    '../../../engine/fold/fold.js',
    '../../../../apps/api/server.js',
  ],
  'libs/read-model/memory/list.ts': [
    '../../engine/drives/drives.js',
    '../../domain/drive/state.js',
    '../../event-store/port.js',
  ],
  'libs/proofs/digest.ts': [
    'safe-stable-stringify',
    'node:fs',
    '../engine/proofs/hashing.js',
    '../identity/ed25519.js',
    '@nestjs/common',
  ],
  'libs/identity/token.ts': [
    '../domain/kernel/ids.js',
    '../engine/drives/drives.js',
    '@nestjs/common',
  ],
  'libs/application/groups/groups.ts': [
    '../../event-store/sqlite/index.js',
    '../../event-store/memory/index.js',
    '../../../apps/api/refusals.js',
    '../../../test/support/service.js',
    '../../domain/testing/drive.js',
    'fastify',
    '@nestjs/swagger',
  ],
  'apps/api/groups/groups-controller.ts': [
    '../../../libs/event-store/sqlite/index.js',
    '../../../libs/read-model/memory/memory-read-model.js',
    '../../../libs/domain/groups/decide.js',
    '../../../libs/domain/groups/invites-decide.js',
    '../../../libs/domain/groups/evolve.js',
    '../../../test/support/service.js',
    '../../../apps/worker/main.js',
  ],
  'libs/mongodb/client.ts': [
    '../stores/settings.js',
    '../event-store/mongodb/jobs.js',
    '../domain/kernel/ids.js',
    '@nestjs/common',
  ],
  'libs/client/src/planted.ts': [
    '../testing/fake-service.js',
    'openapi-fetch',
    'node:http',
    '../../domain/kernel/ids.js',
    '../../../apps/api/server.js',
    '../../../test/support/service.js',
  ],
  'libs/client/src/planted.spec.ts': [
    '../../domain/kernel/ids.js',
    '../../../apps/api/server.js',
    '../../../test/support/service.js',
  ],
  'libs/settings/kinds.ts': ['../stores/settings.js', '../domain/kernel/ids.js', '@nestjs/common'],
  'libs/stores/open.ts': [
    '../engine/drives/drives.js',
    '../domain/drive/state.js',
    '../application/read-schema.js',
    '../../apps/api/server.js',
    '../../test/support/service.js',
    '@nestjs/common',
  ],
  'apps/console/src/shell/shell.tsx': [
    '../../../../libs/identity/login-link.js',
    '../../../../libs/domain/drive/state.js',
    '../../../../apps/api/errors.js',
    '../../../../test/support/service.js',
    '@nestjs/common',
    'node:crypto',
  ],
  'apps/api/server.ts': [
    '../../libs/domain/groups/decide.js',
    '../../libs/event-store/sqlite/index.js',
    '../../libs/read-model/memory/memory-read-model.js',
    '../../test/support/service.js',
  ],
};

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'libs/domain/groups/view.ts': ['./record.js', '../kernel/ids.js', '../access/ceiling.js'],
  'libs/domain/directory/rules/open.ts': ['./ceiling.js', '../tree.js', '../../groups/record.js'],
  'libs/domain/kernel/indexes/planted.ts': ['./pins.js', '../record.js'],
  'libs/domain/kernel/sha1.ts': ['@noble/hashes/legacy.js'],
  'libs/domain/foundation/reading.ts': [
    './state.js',
    '../kernel/ids.js',
    '../kernel/indexes/pins.js',
  ],
  'libs/domain/access/open.ts': ['./access.js', '../kernel/ids.js', '../foundation/state.js'],
  'libs/domain/relations/people.ts': ['../access/access.js', '../foundation/state.js'],
  'libs/domain/drive/evolve.ts': ['./state.js', '../groups/evolve.js', '../foundation/state.js'],
  'libs/domain/groups/view.spec.ts': ['./view.js', '../testing/drive.js', 'fast-check'],
  'libs/domain/testing/drive.ts': ['../kernel/ids.js', '@jest/globals'],
  'libs/proofs/note.ts': ['./hashes.js', 'node:crypto'],
  'libs/engine/fold/fold.ts': [
    './loader.js',
    '../keys/codec.js',
    '../proofs/merkle.js',
    '../../proofs/note.js',
    '../../domain/drive/state.js',
    '../../event-store/port.js',
    '../../event-store/stores.js',
    '../../read-model/port.js',
    'node:crypto',
    'node:zlib',
    'safe-stable-stringify',
  ],
  'libs/engine/fold/fold.spec.ts': ['../testing/engine.js', '../../event-store/memory/index.js'],
  'libs/event-store/sqlite/files/planted.ts': ['../open.js', '../jobs/jobs.js', '../../port.js'],
  'libs/event-store/sqlite/snapshots.ts': ['../port.js', '../stores.js', 'node:sqlite'],
  'libs/event-store/sqlite/planted-too.int.spec.ts': [
    '../event-store.contract.js',
    '../../../test/servers/kurrentdb/server.js',
  ],
  'libs/read-model/mongodb/generations.ts': ['./stored.js', '../port.js', '../../mongodb/put.js'],
  'libs/read-model/memory/page.ts': ['./entry.js', '../port.js'],
  'libs/read-model/memory/testing/kept.ts': ['../drive-image.js', '../../port.js'],
  'libs/identity/evm.ts': ['./derive.js', '@noble/hashes/sha3.js', 'node:crypto'],
  'libs/application/replay/replay.ts': [
    '../../engine/drives/drives.js',
    '../../domain/drive/state.js',
    '../../identity/ids.js',
    '../../event-store/port.js',
    '../../read-model/memory/memory-read-model.js',
    '@nestjs/cqrs',
  ],
  'apps/api/groups/group-record.ts': [
    '../../../libs/application/groups/groups.js',
    '../../../libs/domain/groups/view.js',
    '@nestjs/swagger',
  ],
  'libs/client/src/connected.ts': ['./transport.js', './generated/api.js'],
  'libs/client/src/connected.spec.ts': [
    './transport.js',
    '../testing/fake-service.js',
    'node:http',
  ],
  'libs/mongodb/unavailable.ts': ['./client.js', '../event-store/port.js', 'mongodb'],
  'libs/settings/read.ts': ['./kinds.js', 'class-validator'],
  'libs/stores/startup-errors.ts': [
    './settings.js',
    '../settings/kinds.js',
    '../event-store/sqlite/index.js',
    '../event-store/kurrentdb/index.js',
    '../read-model/mongodb/mongo-read-model.js',
    '../mongodb/client.js',
  ],
  'apps/console/src/shell/links.tsx': ['./shell.js', '../../../../libs/client/index.js', 'wouter'],
  'apps/ops/stores.ts': ['../../libs/stores/open.js', '../../libs/event-store/port.js'],
  'test/e2e/groups.e2e.spec.ts': ['../../apps/api/server.js', '../../libs/engine/drives/drives.js'],
};

/** Rules that look at more than import lines: a file each, with the rule that must report it. */
const PLANTED: Readonly<Record<string, { readonly rule: string; readonly text: string }>> = {
  'libs/identity/cycle-a.ts': {
    rule: 'import(no-cycle)',
    text: "import { b } from './cycle-b.js';\nexport const a = (): number => b();\n",
  },
  'libs/identity/cycle-of-types-a.ts': {
    rule: 'import(no-cycle)',
    text: "import type { B } from './cycle-of-types-b.js';\nexport type A = B[];\n",
  },
  'libs/identity/floating.ts': {
    rule: 'typescript(no-floating-promises)',
    text: [
      'const save = async (): Promise<void> => {};',
      'export function forget(): void {',
      '  save();',
      '}',
      '',
    ].join('\n'),
  },
  'libs/identity/misused.ts': {
    rule: 'typescript(no-misused-promises)',
    text: 'export const all = (list: string[]) => list.forEach(async () => {});\n',
  },
  'libs/domain/groups/dynamic.ts': {
    rule: DIRECTION,
    text: "export const drives = () => import('../../engine/drives/drives.js');\n",
  },
  'libs/domain/groups/reexport.ts': {
    rule: DIRECTION,
    text: "export * from '../../engine/drives/drives.js';\n",
  },
  'libs/domain/groups/type-only.ts': {
    rule: DIRECTION,
    text: "import type { Drives } from '../../engine/drives/drives.js';\nexport type All = Drives[];\n",
  },
  'libs/domain/groups/inline-type.ts': {
    rule: 'typescript(consistent-type-imports)',
    text: "export type All = import('../../engine/drives/drives.js').Drives[];\n",
  },
};

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

/** A tree of files under the repository's own configuration, and what oxlint says about it. */
class PlantedTree {
  readonly folder = mkdtempSync(join(tmpdir(), 'lint-rules-'));

  constructor() {
    for (const name of ['libs', 'apps', 'test']) mkdirSync(join(this.folder, name));
    for (const name of ['.oxlintrc.json', 'tsconfig.json', 'package.json'])
      copyFileSync(join(REPOSITORY, name), join(this.folder, name));
    symlinkSync(join(REPOSITORY, 'node_modules'), join(this.folder, 'node_modules'));
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  lint(): readonly Diagnostic[] {
    const oxlint = join(REPOSITORY, 'node_modules/.bin/oxlint');
    const run = spawnSync(oxlint, ['--deny-warnings', '-f', 'json', 'libs', 'apps', 'test'], {
      cwd: this.folder,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    if (run.error) throw run.error;
    return JSON.parse(run.stdout).diagnostics;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

const importing = (specifiers: readonly string[]): string =>
  specifiers.map((from, at) => `export * as name_${at} from '${from}';\n`).join('');

const cases = (files: Readonly<Record<string, readonly string[]>>): [string, string, number][] =>
  Object.entries(files).flatMap(([path, specifiers]) =>
    specifiers.map((from, at): [string, string, number] => [path, from, at + 1]),
  );

describe('the lint configuration', () => {
  const tree = new PlantedTree();
  let found: readonly Diagnostic[];

  beforeAll(() => {
    for (const [path, from] of Object.entries({ ...FORBIDDEN, ...ALLOWED }))
      tree.write(path, importing(from));
    for (const [path, { text }] of Object.entries(PLANTED)) tree.write(path, text);
    tree.write(
      'libs/identity/cycle-b.ts',
      "import { a } from './cycle-a.js';\nexport const b = (): number => a();\n",
    );
    tree.write(
      'libs/identity/cycle-of-types-b.ts',
      "import type { A } from './cycle-of-types-a.js';\nexport type B = { readonly all: A };\n",
    );
    found = tree.lint();
  });

  afterAll(() => tree.remove());

  const directions = (path: string, line: number): readonly Diagnostic[] =>
    found.filter(
      ({ code, filename, labels }) =>
        code === DIRECTION && filename === path && labels[0]?.span.line === line,
    );

  it.each(cases(FORBIDDEN))('does not let %s import %s', (path, _from, line) => {
    expect(directions(path, line)).not.toEqual([]);
  });

  it.each(cases(ALLOWED))('lets %s import %s', (path, _from, line) => {
    expect(directions(path, line)).toEqual([]);
  });

  it.each(Object.entries(PLANTED).map(([path, { rule }]) => [path, rule]))(
    'finds what is wrong with %s by %s',
    (path, rule) => {
      expect(found.filter((one) => one.filename === path).map((one) => one.code)).toContain(rule);
    },
  );

  it('says nothing of a clean file', () => {
    const clean = new PlantedTree();
    clean.write('libs/domain/groups/clean.ts', 'export const one = 1;\n');
    try {
      expect(clean.lint()).toEqual([]);
    } finally {
      clean.remove();
    }
  });
});
