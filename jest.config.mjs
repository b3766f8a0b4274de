/** One project: every test runs against real services, which the helpers in test/support start. */
export default {
  rootDir: import.meta.dirname,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/'],
  runtime: '<rootDir>/test/support/shared-packages.cjs',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  testTimeout: 60_000,
  maxWorkers: 2,
  // Modules of earlier files stay in memory, and a large process forks slowly: git and the CLI are
  // started thousands of times.
  workerIdleMemoryLimit: '500MB',
};
