import Anthropic from '@anthropic-ai/sdk';
import { type OfflineModel, startOfflineModel } from '../../offline-model/server.ts';

/**
 * The offline model, served while the tests of a file or `describe` run, with a client of its own.
 */
export function useOfflineModel(): { readonly url: string; readonly client: Anthropic } {
  let model: OfflineModel;
  let client: Anthropic;
  beforeAll(async () => {
    model = await startOfflineModel();
    client = new Anthropic({ apiKey: 'offline', baseURL: model.url, maxRetries: 0 });
  });
  afterAll(() => model.close());
  return {
    get url() {
      return model.url;
    },
    get client() {
      return client;
    },
  };
}
