// Posts bodies one after the other from a thread of its own, so that only reading them is measured.
import { parentPort, workerData } from 'node:worker_threads';

let sent = 0;
parentPort.on('message', ({ body }) => void send(body));

async function send(body) {
  sent += 1;
  const response = await fetch(workerData.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${workerData.key}`,
      'content-type': 'application/json',
      // Each from another address: one may send 16 MiB to be refused.
      'x-forwarded-for': `198.51.${sent >> 8}.${sent & 255}`,
    },
    body,
  });
  await response.text();
  parentPort.postMessage(response.status);
}
