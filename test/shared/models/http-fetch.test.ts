import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { httpFetch, StreamedResponse } from '../../../shared/models/http-fetch.ts';

describe('httpFetch', () => {
  let server: Server;
  let url: string;
  let hungUp: Promise<void>;
  const seen: { method: string | undefined; header: unknown; body: string; socket: unknown }[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      void text(request).then(body => {
        seen.push({
          method: request.method,
          header: request.headers['x-key'],
          body,
          socket: request.socket,
        });
        hungUp = new Promise(resolve => response.once('close', resolve));
        if (request.url === '/refused')
          return response.writeHead(429, { 'retry-after': '7' }).end('{"error":"slow"}');
        if (request.url === '/empty') return response.writeHead(304).end();
        if (request.url === '/cut') return void response.write('half', () => response.destroy());
        response
          .writeHead(200, { 'request-id': 'r1', 'set-cookie': ['a=1', 'b=2'] })
          .write('first ');
        if (request.url !== '/endless') response.end('last');
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const post = async (path: string, signal?: AbortSignal) =>
    httpFetch(url + path, {
      method: 'POST',
      headers: { 'x-key': 'k' },
      body: 'grüße',
      ...(signal && { signal }),
    });

  it('sends method, headers and body, and streams the answer', async () => {
    const response = await post('/');
    expect(response).toBeInstanceOf(StreamedResponse);
    expect([
      response.ok,
      response.headers.get('request-id'),
      response.headers.getSetCookie(),
    ]).toEqual([true, 'r1', ['a=1', 'b=2']]);
    expect(await text((response as StreamedResponse).message)).toBe('first last');
    expect(seen.at(-1)).toMatchObject({ method: 'POST', header: 'k', body: 'grüße' });
  });

  it('uses a connection again', async () => {
    const sockets = [];
    for (let i = 0; i < 2; i++) {
      await text(((await post('/')) as StreamedResponse).message);
      sockets.push(seen.at(-1)!.socket);
    }
    expect(sockets[0]).toBe(sockets[1]);
  });

  it('gives a refusal whole', async () => {
    const response = await post('/refused');
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
      429,
      '7',
      { error: 'slow' },
    ]);
    expect((await post('/empty')).status).toBe(304);
  });

  it('rejects where nobody answers, or the signal was aborted', async () => {
    await expect(httpFetch('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(post('/', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('ends the answer with an error where it is cut, and hangs up where the signal aborts', async () => {
    await expect(text(((await post('/cut')) as StreamedResponse).message)).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
    const left = new AbortController();
    const reading = text(((await post('/endless', left.signal)) as StreamedResponse).message);
    left.abort();
    await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
    await hungUp;
  });
});
