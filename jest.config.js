export default {
  testMatch: ['**/*.spec.ts'],
  // Specs of the image run alone: `npm run test:image`.
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/test/image/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2022',
          keepClassNames: true,
        },
        module: { type: 'es6' },
      },
    ],
  },
  globalSetup: '<rootDir>/test/support/seed.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/seeded.ts'],
  // Ends a spec that hangs. Machines are of any speed, so no spec has a time of its own.
  testTimeout: 600_000,
  // Specs wait for processes, servers and disks: three keep two processors busy.
  maxWorkers: 3,
  // Modules of finished specs stay in memory: workers are replaced before they reach the limit of the heap.
  workerIdleMemoryLimit: '2GB',
};
