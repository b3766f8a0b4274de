import { newId } from '../../shared/ids.ts';

it('ids of one millisecond sort as they were made, and none can be guessed from another', () => {
  const ids = Array.from({ length: 5_000 }, () => newId('job', 1_767_225_600_000));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids.map(id => id.slice(-9))).size).toBe(ids.length);
});
