// Jest begins with the largest files where it has no times of an earlier run. What takes longest
// begins first, so that no worker is left with it at the end.
const { default: Sequencer } = require('@jest/test-sequencer');

const LONGEST = [
  'repository/lint',
  'cli/start',
  'cli/roles',
  'cli/backup',
  'cli/demo',
  'hosts/github/error-table',
  'hosts/github/jobs',
  'jobs/kills',
  'jobs/reconcile',
  'jobs/ends',
  'jobs/limits',
  'jobs/rewind',
  'jobs/outages',
  'jobs/people',
  'jobs/reset',
  'jobs/removal',
  'jobs/upgrade',
  'dashboard/',
];

module.exports = class extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const at = LONGEST.findIndex(name => path.includes(`/test/${name}`));
      return at === -1 ? LONGEST.length : at;
    };
    const known = [...tests].some(test => test.duration !== undefined);
    const sorted = super.sort(tests);
    return known ? sorted : sorted.sort((a, b) => rank(a) - rank(b));
  }
};
