import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
} from '@modelcontextprotocol/server';
import type { Static, TObject } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../shared/errors.ts';
import { toProblem } from '../plugins/problems.ts';
import { validatorCompiler } from '../plugins/validation.ts';

/** The HTTP request that a call came with. */
export interface McpExchange {
  request: FastifyRequest;
  reply: FastifyReply;
  /** Tells a client that has asked for progress how far the call is. */
  progress(message: string): Promise<void>;
  /** Extensions of the protocol that the client declares. */
  clientExtensions: Record<string, unknown>;
  /** Whether the client can ask its user. */
  clientAsks: boolean;
}

/** What a tool answers: text for the model, and the same by its output schema. */
export interface ToolAnswer {
  text: string;
  structured: Record<string, unknown>;
  /** The handle of a task, in place of the rest, for a client that follows tasks. */
  task?: object;
}

/** What differs between a tool that reads and one that changes something. */
export const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

interface ToolTexts {
  name: string;
  title: string;
  description: string;
  annotations: { [Hint in keyof typeof READS]: boolean };
}

/** A tool that serves `Deps`: its texts, its schemas, and what it does. */
export interface McpTool<Deps> extends ToolTexts {
  input: TObject;
  output: TObject;
  call(deps: Deps, exchange: McpExchange, given: unknown): Promise<ToolAnswer>;
}

/** A tool whose arguments are checked as the bodies of HTTP requests are. */
export function defineTool<Deps, Input extends TObject>(
  tool: ToolTexts & {
    input: Input;
    output: TObject;
    run(deps: Deps, exchange: McpExchange, given: Static<Input>): Promise<ToolAnswer>;
  },
): McpTool<Deps> {
  const { run, ...texts } = tool;
  const check = validatorCompiler({ schema: tool.input, httpPart: 'body', method: '', url: '' });
  return {
    ...texts,
    async call(deps, exchange, given) {
      const checked = check(given ?? {}) as { error?: Error; value?: Static<Input> };
      if (checked.error) throw checked.error;
      return run(deps, exchange, checked.value as Static<Input>);
    },
  };
}

/** As `tools/list` names it. */
export function describeTool({ name, title, description, annotations, ...tool }: McpTool<never>) {
  return {
    ...{ name, title, description, annotations },
    inputSchema: tool.input as TObject & { type: 'object' },
    outputSchema: tool.output as TObject & { type: 'object' },
  };
}

/** Calls a tool. What it refuses is a result that the model reads, never an error of the protocol. */
export async function callTool<Deps>(
  tools: readonly McpTool<Deps>[],
  deps: Deps,
  exchange: McpExchange,
  asked: { name: string; arguments?: unknown },
): Promise<CallToolResult> {
  const tool = tools.find(({ name }) => name === asked.name);
  if (!tool)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${asked.name}.`);
  try {
    const { text, structured, task } = await tool.call(deps, exchange, asked.arguments);
    if (task) return { ...task, resultType: 'task', content: [] };
    return { content: [{ type: 'text', text }], structuredContent: structured };
  } catch (error) {
    return { content: [{ type: 'text', text: sentenceOf(error, exchange) }], isError: true };
  }
}

/** The sentence for the caller; what was unforeseen is logged. */
export function sentenceOf(error: unknown, { request }: McpExchange): string {
  const problem = toProblem(error);
  if (!(error instanceof Problem))
    request.log.warn({ err: problem.cause ?? error }, 'a call over MCP failed');
  return problem.message;
}
