#!/usr/bin/env node
// Runs the tests on Node 24, the release that the image runs on: npm run test:node24 -- test/git
import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { env } from 'node:process';
import { getNode } from './get-node.mjs';

const { status } = spawnSync('npm', ['test', '--', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...env, PATH: `${dirname(getNode('24'))}${delimiter}${env.PATH}` },
});
process.exitCode = status ?? 1;
