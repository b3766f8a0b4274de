import { localConfig } from '../../cli/connect/settings.ts';

describe('the settings in a shell that has loaded a demo.env', () => {
  const LOADED = {
    TEMPORAL_ADDRESS: '127.0.0.1:7233',
    TEMPORAL_UI_URL: 'http://127.0.0.1:8233',
    EMBEDDED_TEMPORAL: '127.0.0.1:7233',
  };

  it("do not name another docent's embedded Temporal", () => {
    const { TEMPORAL_ADDRESS, TEMPORAL_UI_URL } = localConfig(LOADED);
    expect([TEMPORAL_ADDRESS, TEMPORAL_UI_URL]).toEqual([undefined, undefined]);
  });

  it('name the Temporal that the user names', () => {
    const own = {
      TEMPORAL_ADDRESS: 'temporal.internal:7233',
      TEMPORAL_UI_URL: 'http://temporal.internal',
    };
    expect(localConfig({ ...LOADED, ...own })).toMatchObject(own);
    expect(localConfig(own)).toMatchObject(own);
    expect(localConfig({}).TEMPORAL_ADDRESS).toBeUndefined();
  });
});

it('DATABASE_URL is an address, and is never shown', () => {
  expect(() => localConfig({ DATABASE_URL: 'docent:secret@db/docent' })).toThrow(
    /^DATABASE_URL must be an address such as postgres:\/\/user:password@host:5432\/database\.$/,
  );
  for (const DATABASE_URL of ['postgres://db/docent', 'postgresql://docent:secret@db:5432/docent'])
    expect(localConfig({ DATABASE_URL })).toMatchObject({ DATABASE_URL });
});
