import { words } from '../../search/words.ts';

describe('words', () => {
  it('splits identifiers and keeps them whole as well', () => {
    expect(words('maxRetries')).toEqual(['max', 'retries', 'maxretries']);
    expect(words('parseHTTPResponse')).toEqual(['parse', 'http', 'response', 'parsehttpresponse']);
    expect(words('docs.json app.listen() rate_limit')).toEqual([
      'docs',
      'json',
      'app',
      'listen',
      'rate',
      'limit',
    ]);
  });

  it('drops accents and case', () => {
    expect(words('Élan ÜBER')).toEqual(['elan', 'uber']);
  });

  it('gives pairs where a script has no spaces', () => {
    expect(words('React入门指南')).toEqual(['react', '入门', '门指', '指南']);
    expect(words('語')).toEqual(['語']);
    expect(words('한국어')).toEqual(['한국', '국어']);
  });

  it('drops what nobody types', () => {
    expect(words(`${'a'.repeat(64)} sha ---`)).toEqual(['sha']);
  });
});
