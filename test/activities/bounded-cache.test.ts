import { jest } from '@jest/globals';
import { BoundedCache } from '../../shared/bounded-cache.ts';

beforeAll(() => {
  jest.useFakeTimers();
});
afterAll(() => {
  jest.useRealTimers();
});

it('lets the least recently used go once there is too much', () => {
  const cache = new BoundedCache<string>(6, value => value.length);
  cache.set('a', 'aa');
  cache.set('b', 'bb');
  cache.set('c', 'cc');
  expect(cache.get('a')).toBe('aa');
  cache.set('d', 'ddd');
  expect(['a', 'b', 'c', 'd'].map(key => cache.get(key))).toEqual([
    'aa',
    undefined,
    undefined,
    'ddd',
  ]);
  expect(cache.weight).toBe(5);
});

it('lets go what nobody has used for long, with the next that comes', () => {
  jest.setSystemTime(0);
  const cache = new BoundedCache<string>(100, value => value.length, 1_000);
  cache.set('old', 'o');
  cache.set('used', 'u');
  jest.setSystemTime(900);
  expect(cache.get('used')).toBe('u');
  jest.setSystemTime(1_500);
  cache.set('new', 'n');
  expect(['old', 'used', 'new'].map(key => cache.has(key))).toEqual([false, true, true]);
  expect(cache.weight).toBe(2);
});
