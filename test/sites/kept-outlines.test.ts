import { BoundedCache } from '../../shared/bounded-cache.ts';
import { KeptOutlines } from '../../sites/outline/kept-outlines.ts';

describe('outlines that are kept', () => {
  it('are parsed once for a text, and again for another', () => {
    const kept = new KeptOutlines();
    const first = kept.outline('a.md', '# One\n');
    expect(kept.outline('a.md', '# One\n')).toBe(first);
    expect(kept.outline('a.md', '# Two\n').headings[0]?.raw).toBe('Two');
    // The same text is read by other rules, and as another page.
    expect(kept.outline('a.md', '# One\n', 'mdx')).not.toBe(first);
    expect(kept.outline('b.md', '# One\n').file).toBe('b.md');
  });

  it('stay within a number of characters, the least recently used go first', () => {
    const kept = new KeptOutlines(10_000);
    const page = (n: number) => `# Page ${n}\n\n${'x'.repeat(900)}\n`;
    const first = kept.outline('p0.md', page(0));
    for (let n = 1; n < 50; n += 1) {
      kept.outline(`p${n}.md`, page(n));
      kept.outline('p0.md', page(0));
      expect(kept.characters).toBeLessThanOrEqual(10_000);
    }
    expect(kept.outline('p0.md', page(0))).toBe(first);
    expect(kept.outline('p1.md', page(1)).headings).toHaveLength(1);
  });
});

describe('texts that are kept for the next commit', () => {
  it('stay within a number of characters', () => {
    const cache = new BoundedCache<string>(100, text => text.length);
    for (let n = 0; n < 20; n += 1) {
      cache.set(`blob${n}`, 'x'.repeat(30));
      cache.get('blob0');
      expect(cache.weight).toBeLessThanOrEqual(100);
    }
    expect(cache.has('blob0')).toBe(true);
    expect(cache.has('blob5')).toBe(false);
  });
});
