import { Type } from '@sinclair/typebox';
import { isOfItsType } from '../../policy/file-types.ts';
import { MAX_FILE_BYTES } from '../../policy/violation.ts';
import { imageType } from '../../../shared/images/image-type.ts';
import { withoutMetadata } from '../../../shared/images/without-metadata.ts';
import { readImage } from '../images.ts';
import { largeFileRule } from '../large-files.ts';
import { existingFile, type PathResult, writablePath } from '../paths.ts';
import { inRepository, REPOSITORY } from '../repository.ts';
import { clip, inputMember, toolFailure } from '../text.ts';
import { defineTool, type ToolContext, type ToolResult } from '../tool.ts';

export const addImageTool = defineTool({
  name: 'add_image',
  description:
    'Adds an image to the docs, or replaces one, from a file of the repository or of a context ' +
    "repository (its path, or its address on the repository's site), or from an image that a " +
    'person attached to an instruction (its id, upl_…). A new image must be used by a page before the turn ends.',
  input: Type.Object({
    path: Type.String({ description: 'of the image in the docs, such as docs/images/login.png' }),
    from: Type.String({
      description: 'path or address of the file, or id of an attached image',
      maxLength: 2000,
    }),
    repository: REPOSITORY,
    replace: Type.Optional(
      Type.Boolean({ description: 'the image at `path` exists and is replaced; false by default' }),
    ),
  }),
  readOnly: false,
  summarize: input => inputMember(input, 'path'),
  async execute({ path: raw, from, replace = false, repository }, context) {
    const { path, error } = writablePath(raw, context);
    if (error !== undefined) return toolFailure(error, raw);
    const exists = context.workspace.has(path);
    if (exists && !replace)
      return toolFailure(`${path} exists. Use replace: true, or another path.`, path);
    if (!exists && replace)
      return toolFailure(`There is no ${path} to replace. Leave replace out to add it.`, path);
    const source = await findSource(from, repository, context);
    if ('failure' in source) return source.failure ?? toolFailure(source.error, path);
    const { bytes, name } = source;
    const refusal = refusalOf(path, name, bytes) ?? (await largeFileRefusal(path, context));
    if (refusal !== undefined) return toolFailure(refusal, path);
    const published = withoutMetadata(imageType(bytes) ?? 'svg', bytes);
    if (!published)
      return toolFailure(
        `${name} is damaged, animated, or an AVIF with more than pixels: what it says of places ` +
          'and people cannot be taken out of it. A person has to save it again without that.',
        path,
      );
    context.workspace.write(path, published);
    const { description = 'SVG image' } = readImage(published) ?? {};
    const removed =
      published === bytes ? '' : ' What it said of place, device and author was taken out.';
    return {
      content: `${replace ? 'Replaced' : 'Added'} ${path}: ${description}, from ${name}.${removed}`,
      summary: clip(`${path} from ${name}`, 200),
    };
  },
});

/** git LFS wants a pointer in the repository, and the bytes in a store that is not within reach. */
async function largeFileRefusal(
  path: string,
  { workspace }: ToolContext,
): Promise<string | undefined> {
  const file = await largeFileRule(path, workspace);
  return file === undefined
    ? undefined
    : `${path} is kept by git LFS (${file} says filter=lfs), which Docent cannot write. ` +
        'Ask a person to commit the image, or choose another type or folder.';
}

type Source =
  { bytes: Buffer; name: string } | { failure: ToolResult } | { failure: undefined; error: string };

/** The file or attached image that `from` names. */
async function findSource(
  from: string,
  repository: string | undefined,
  context: ToolContext,
): Promise<Source> {
  if (/^upl_[\w-]+$/.test(from)) {
    const bytes = await context.readUpload(from);
    return bytes
      ? { bytes, name: from }
      : { failure: undefined, error: `No instruction of this job has an image ${from}.` };
  }
  const origin = await inRepository(repository, context);
  if ('failure' in origin) return origin;
  const { path, error } = sourceFile(from, origin);
  if (error !== undefined) return { failure: undefined, error };
  const bytes = /^100/.test(origin.workspace.entry(path)?.mode ?? '')
    ? await origin.workspace.read(path)
    : undefined;
  return bytes ? { bytes, name: path } : { failure: undefined, error: `${path} is not a file.` };
}

function refusalOf(path: string, from: string, bytes: Buffer): string | undefined {
  const isSvg = /\.svg$/i.test(path);
  if (isSvg ? !/<svg[\s>]/.test(bytes.toString('utf8')) : !readImage(bytes))
    return `${from} does not contain an image.`;
  if (!isSvg && !isOfItsType(path, bytes))
    return `${from} is not of the type that ${path} names. Give both the same ending.`;
  if (bytes.length > MAX_FILE_BYTES)
    return `${from} has ${bytes.length} bytes; the most is 1 MiB. A person has to make it smaller.`;
  return undefined;
}

/** The file that a path or an address of the repository names; its branch is not looked at. */
function sourceFile(from: string, context: ToolContext): PathResult {
  if (!/^[a-z]+:/i.test(from)) return existingFile(from, context);
  const { repository } = context.project;
  const foreign = {
    error:
      `${from} is not a file of ${repository}. Only the repository is within reach: ` +
      'ask a person to commit the image, and name its path.',
  };
  if (!URL.canParse(from)) return foreign;
  const path = decoded(new URL(from).pathname);
  const at = path?.toLowerCase().indexOf(`/${repository.toLowerCase()}/`) ?? -1;
  if (path === undefined || at < 0) return foreign;
  const rest = path.slice(at + repository.length + 2).split('/');
  // After `blob` or `raw` comes the branch, which may have slashes of its own.
  const found = rest
    .map((_, i) => rest.slice(i).join('/'))
    .find(candidate => context.workspace.has(candidate));
  return found === undefined ? foreign : { path: found };
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
