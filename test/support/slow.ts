/**
 * Whether everything runs, as in `npm run test:slow`. `npm test` takes a part of what is alike, and
 * leaves out the files named `*.slow.test.ts`.
 */
export const SLOW = process.env['SLOW'] === '1';
/** A test of the slow lane. */
export const slowly = SLOW ? test : test.skip;
