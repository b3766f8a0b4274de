import type { Config } from '../../shared/config.ts';
import { useTracer } from '../../shared/traces/tracing.ts';

/** Traces the process if an endpoint is set; returns what sends the last spans and ends that. */
export async function openTraces(
  {
    OTEL_EXPORTER_OTLP_ENDPOINT: base,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole,
    OTEL_SERVICE_NAME: name,
  }: Config,
  service: string,
): Promise<() => Promise<void>> {
  const url = whole ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (!url) return async () => {};
  const { openTracing } = await import('../../shared/traces/open-tracing.ts');
  const tracer = openTracing({ url, service: name ?? service });
  useTracer(tracer);
  return async () => {
    useTracer(undefined);
    await tracer.close();
  };
}
