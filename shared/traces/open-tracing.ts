import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  NodeTracerProvider,
  RandomIdGenerator,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import type { Span, Tracer } from './tracing.ts';

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

/**
 * What a span may hold: ids, names of our own, counts. A library's span can hold more, and an
 * exception's message quotes what it read.
 */
const ALLOWED =
  /^(?:docent\.(?:turn|step|attempt|request_id)|http\.(?:request\.method|route|response\.status_code)|db\.(?:system\.name|query\.summary)|server\.(?:address|port)|error\.type|temporal\.activity_type|gen_ai\.(?:operation\.name|provider\.name|conversation\.id|request\.(?:model|max_tokens)|response\.(?:id|model)|usage\.[a-z_.]+))$/;

/** Records spans and sends them to `url` by OTLP over HTTP, as JSON, in batches. */
export function openTracing({ url, service }: { url: string; service: string }): Tracer {
  const ids = new TurnIds();
  const processor = new BatchSpanProcessor(withoutContent(new OTLPTraceExporter({ url })));
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    idGenerator: ids,
    spanProcessors: [processor],
  });
  provider.register();
  const tracer = provider.getTracer('docent');
  return {
    begin({ name, kind, attributes, traceId }: Span) {
      const parent = traceId === undefined ? context.active() : ROOT_CONTEXT;
      const span = ids.with(traceId, () =>
        tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent),
      );
      const inside = trace.setSpan(parent, span);
      return {
        run: work => context.with(inside, work),
        end({ attributes: more = {}, error } = {}) {
          span.setAttributes(more);
          if (error !== undefined)
            span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    currentTraceId: () => trace.getActiveSpan()?.spanContext().traceId,
    async close() {
      await provider.shutdown().catch(() => undefined); // the collector may be away
      trace.disable();
      context.disable();
    },
  };
}

/** Random ids, but for a span that begins a turn's part of its trace. */
class TurnIds implements IdGenerator {
  private readonly random = new RandomIdGenerator();
  private next: string | undefined;

  with<T>(traceId: string | undefined, work: () => T): T {
    this.next = traceId;
    try {
      return work();
    } finally {
      this.next = undefined;
    }
  }

  generateTraceId(): string {
    return this.next ?? this.random.generateTraceId();
  }

  generateSpanId(): string {
    return this.random.generateSpanId();
  }
}

function withoutContent(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(allowedPart), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function allowedPart(span: ReadableSpan): ReadableSpan {
  const attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(([name]) => ALLOWED.test(name)),
  );
  return Object.create(span, {
    attributes: { value: attributes },
    events: { value: [] },
    links: { value: [] },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;
}
