import type { Tool as WireTool, ToolUnion } from '@anthropic-ai/sdk/resources/messages/messages';
import type { TSchema } from '@sinclair/typebox';
import { EDITOR_NAME } from '../../shared/agent-text.ts';
import { EDITOR_COMMANDS, tools } from './registry.ts';
import { MAX_VIEW_CHARACTERS } from './reading/view.ts';
import { readWebPageTool } from './reading/read-web-page.ts';
import { proposePlanTool } from './propose-plan.ts';
import type { Tool } from './tool.ts';

type InputSchema = WireTool['input_schema'];

export interface DefinitionOptions {
  /** The endpoint has Anthropic's own editor; any other gets a plain tool that does the same. */
  hasNativeEditor: boolean;
  /** Those that the job may read; without any, the model does not know of the tool. */
  webPages?: readonly string[] | undefined;
  /** By name, in place of all that carry out an instruction. */
  only?: ((name: string) => boolean) | undefined;
}

/** What the model gets: the same bytes on every call, since prompts are cached by prefix. */
export function toolDefinitions({
  hasNativeEditor,
  webPages = [],
  only,
}: DefinitionOptions): ToolUnion[] {
  const isIn = only ?? (name => name !== proposePlanTool.name);
  const own = PLAIN.filter(
    ({ name }) => isIn(name) && (name !== readWebPageTool.name || webPages.length > 0),
  ).map(tool =>
    tool.name === readWebPageTool.name
      ? { ...tool, description: `${tool.description} You may read: ${webPages.join(', ')}.` }
      : tool,
  );
  if (only) return own;
  return [hasNativeEditor ? NATIVE_EDITOR : PLAIN_EDITOR, ...own];
}

const NATIVE_EDITOR: ToolUnion = {
  type: 'text_editor_20250728',
  name: EDITOR_NAME,
  max_characters: MAX_VIEW_CHARACTERS,
};

/**
 * A JSON schema of what every server's converter keeps. Ollama drops all but type, properties,
 * required, items, enum and description; llama.cpp makes a grammar of it, and refuses a text of at
 * most 100,000 characters because the grammar repeats itself so often. So the description has the
 * bounds, and `resolveCall` checks them.
 */
function wireSchema(schema: TSchema): Record<string, unknown> {
  const values = valuesOf(schema);
  const description = [schema.description, boundsOf(schema)].filter(Boolean).join('; ');
  return {
    type: values ? 'string' : schema.type,
    ...(description && { description }),
    ...(values && { enum: values }),
    ...(schema.properties && wireObject(schema)),
    ...(schema.items && { items: wireSchema(schema.items as TSchema) }),
  };
}

function wireObject({ properties = {}, required = [] }: TSchema): Omit<InputSchema, 'type'> {
  const members = Object.entries(properties as Record<string, TSchema>);
  return {
    properties: Object.fromEntries(members.map(([name, member]) => [name, wireSchema(member)])),
    required: required as string[],
  };
}

/** Of a union of texts. */
function valuesOf({ anyOf }: TSchema): string[] | undefined {
  return (anyOf as TSchema[] | undefined)?.map(one => String(one.const));
}

function boundsOf(schema: TSchema): string {
  const [least, most, unit] =
    schema.type === 'array'
      ? [schema.minItems, schema.maxItems, ' items']
      : schema.type === 'string'
        ? [schema.minLength, schema.maxLength, ' characters']
        : [schema.minimum, schema.maximum, ''];
  if (least === undefined && most === undefined) return '';
  if (least !== undefined && least === most) return `${least}${unit}`;
  if (most === undefined)
    return schema.type === 'string' ? 'not empty' : `at least ${least}${unit}`;
  return least ? `${least} to ${most}${unit}` : `at most ${most}${unit}`;
}

const PLAIN: WireTool[] = tools
  .filter(tool => !EDITOR_COMMANDS.includes(tool))
  .map(({ name, description, input }) => ({
    name,
    description,
    input_schema: { type: 'object', ...wireObject(input) },
  }));

const PLAIN_EDITOR: WireTool = {
  name: EDITOR_NAME,
  description: [
    'Views and edits one file or folder. `command` is one of these, and decides which members are needed:',
    ...EDITOR_COMMANDS.map(describeCommand),
  ].join('\n'),
  input_schema: {
    type: 'object',
    properties: {
      command: {
        type: 'string',
        description: 'what to do',
        enum: EDITOR_COMMANDS.map(({ name }) => name),
      },
      ...Object.assign({}, ...EDITOR_COMMANDS.map(({ input }) => wireObject(input).properties)),
    },
    required: ['command', 'path'],
  },
};

/** The schema cannot tell which members a command needs, so the words do. */
function describeCommand({ name, description, input }: Tool): string {
  const required = (input.required ?? []) as string[];
  const optional = Object.keys(input.properties as object).filter(each => !required.includes(each));
  const may = optional.length > 0 ? ` May have ${optional.join(', ')}.` : '';
  return `- ${name}: ${description} Needs ${required.join(', ')}.${may}`;
}
