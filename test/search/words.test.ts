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

  it('gives the words of scripts whose spaces are between sentences', () => {
    expect(words('การตั้งค่าฐานข้อมูล v2')).toEqual(['การ', 'ตั้ง', 'ค่า', 'ฐาน', 'ข้อมูล', 'v2']);
    for (const [text, word] of [
      ['ดื่มน้ำ', 'น้ำ'],
      ['ຖານຂໍ້ມູນຂອງລະບົບ', 'ລະບົບ'],
      ['មូលដ្ឋាន\u200Bទិន្នន័យ', 'ទិន្នន័យ'],
      ['ဒေတာဘေ့စ်ကို ဖွင့်ပါ', 'ဖွင့်'],
    ] as const)
      expect(words(text)).toContain(word);
  });

  it('takes no time for a long text without a space', () => {
    const started = performance.now();
    expect(words('การตั้งค่าฐานข้อมูล'.repeat(4_000)).length).toBeGreaterThan(20_000 - 200);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('does not see what readers do not see', () => {
    expect(words('con\u00ADfig\u00ADu\u00ADra\u00ADtion zero\u200Bwidth \uFEFFmark')).toEqual([
      'configuration',
      'zerowidth',
      'mark',
    ]);
  });

  it('drops what nobody types', () => {
    expect(words(`${'a'.repeat(64)} sha ---`)).toEqual(['sha']);
  });
});
