import { type Static, Type } from '@sinclair/typebox';
import { UPLOAD_TYPES } from '../images/image-type.ts';
import { LARGEST_UPLOAD, MOST_UPLOADS } from '../images/upload-limits.ts';
import { worded } from '../text/worded.ts';

/** Images that people attach to instructions, as the API and the dashboard exchange them. */
const Name = worded(
  '^[^\\u0000-\\u001f\\u007f-\\u009f/\\\\]+$',
  ', without slashes and control characters',
  {
    minLength: 1,
    maxLength: 200,
    description: 'The name of the file, to show. The type is found from the bytes.',
  },
);
/** Base64 is a third longer. */
const LONGEST = Math.ceil(LARGEST_UPLOAD / 3) * 4;

export const NewUpload = Type.Object(
  {
    name: Name,
    data: Type.String({
      minLength: 4,
      // One more than fits is enough to say what is wrong with it.
      maxLength: LONGEST + 4,
      description: 'The bytes of a PNG, JPEG, GIF, WebP or SVG image as base64, 1 MiB at most.',
    }),
  },
  {
    title: 'NewUpload',
    description: 'An image as text.',
    examples: [{ name: 'dot.gif', data: 'R0lGODlhAQABAAAAACwAAAAAAQABAAA=' }],
  },
);
export type NewUpload = Static<typeof NewUpload>;

const EXAMPLE = {
  id: 'upl_01m7zj9r7fyv3ke2xg3ws5k4ct',
  name: 'menu.png',
  mediaType: 'image/png',
  size: 48_213,
};
const AttachedMembers = {
  id: Type.String({ description: 'What instructions name it by.', examples: [EXAMPLE.id] }),
  name: Type.String({ description: 'The name of its file, to show.' }),
  mediaType: Type.Union(
    UPLOAD_TYPES.map(type => Type.Literal(type)),
    { title: 'UploadType', description: 'Found from the bytes.' },
  ),
  size: Type.Integer({ description: 'Bytes.' }),
};
export const AttachedUpload = Type.Object(AttachedMembers, {
  title: 'AttachedUpload',
  description: 'An image that is attached to an instruction.',
  examples: [EXAMPLE],
});
export const Upload = Type.Object(
  {
    ...AttachedMembers,
    createdAt: Type.String({ format: 'date-time', description: 'When it was first uploaded.' }),
  },
  {
    title: 'Upload',
    description: 'An image for instructions.',
    examples: [{ ...EXAMPLE, createdAt: '2026-11-23T09:11:40.218Z' }],
  },
);
export type Upload = Static<typeof Upload>;

/** Of an instruction. */
export const UploadIds = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: MOST_UPLOADS,
  uniqueItems: true,
  description:
    'Ids of uploaded images. The agent sees them, if its model can, and can put them into the docs.',
});
/** Bytes of a request that uploads. */
export const UPLOAD_BODY_LIMIT = LONGEST + 16 * 1024;
