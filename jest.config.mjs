import { env } from 'node:process';

const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
  ],
};
const common = {
  rootDir: import.meta.dirname,
  extensionsToTreatAsEsm: ['.ts'],
  transform,
  transformIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: ['<rootDir>/.docent/'],
  runtime: '<rootDir>/test/support/shared-modules.cjs',
};
/** Kept for `npm run test:slow`. */
const ONLY_SLOW = env.SLOW === '1' ? [] : ['\\.slow\\.test\\.ts$'];
/** Folders whose tests need no Postgres and no Temporal. */
const WITHOUT_SERVICES =
  '(activities|agent/checks|agent/navigation|agent/tools|db|docs|hosts/git|ops|repository|sites)';

export default {
  projects: [
    {
      ...common,
      testMatch: [`<rootDir>/test/@${WITHOUT_SERVICES}/**/*.test.ts`],
      testPathIgnorePatterns: ONLY_SLOW,
    },
    {
      ...common,
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: [`<rootDir>/test/${WITHOUT_SERVICES}/`, ...ONLY_SLOW],
      globalSetup: '<rootDir>/test/support/global-setup.mjs',
      globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
    },
  ],
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  testTimeout: 60_000,
  // For two cores: tests wait half of their time.
  maxWorkers: 3,
  // Modules of earlier files stay in memory, and a large process forks slowly: git and the CLI are
  // started thousands of times.
  workerIdleMemoryLimit: '1000MB',
};
