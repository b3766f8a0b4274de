import type { IncomingHttpHeaders } from 'node:http';
import type {
  MessagesRequest,
  TokenUsage,
} from '../../offline-model/protocol/messages-protocol.ts';
import { cacheableParts } from './prompt-cache.ts';

export interface RecordedRequest {
  body: MessagesRequest;
  headers: IncomingHttpHeaders;
  /** As the answer's header says it. */
  requestId: string;
  /** Epoch milliseconds. */
  receivedAt: number;
  /** When the client left before the answer was through. */
  hungUpAt: number | null;
  /** When the answer's last byte was written. */
  answeredAt: number | null;
  usage: TokenUsage | null;
}

/** Input tokens read from the cache, as a share of all input tokens. */
export function cachedShare(requests: RecordedRequest[]): number {
  let read = 0;
  let all = 0;
  for (const { usage } of requests) {
    if (!usage) continue;
    read += usage.cacheRead;
    all += usage.cacheRead + usage.cacheWrite + usage.input;
  }
  return all === 0 ? 0 : read / all;
}

/** A sentence for each request that does not repeat all of the one before it. */
export function prefixBreaks(requests: RecordedRequest[]): string[] {
  const breaks: string[] = [];
  for (let n = 1; n < requests.length; n++) {
    const before = cacheableParts((requests[n - 1] as RecordedRequest).body);
    const after = cacheableParts((requests[n] as RecordedRequest).body);
    const index = before.findIndex((part, at) => part.text !== after[at]?.text);
    if (index >= 0)
      breaks.push(
        `request ${n + 1} differs from request ${n} at part ${index + 1}: ` +
          `${before[index]?.text.slice(0, 120)} became ` +
          (after[index]?.text.slice(0, 120) ?? 'nothing'),
      );
  }
  return breaks;
}
