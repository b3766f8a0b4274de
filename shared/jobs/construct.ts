import { type Static, Type } from '@sinclair/typebox';

export const ConstructSchema = Type.Object(
  {
    path: Type.String({ description: 'The file, from the root of the repository.' }),
    line: Type.Integer({ description: 'Its line in what the agent wanted to write.' }),
    what: Type.String({ description: 'What it is.' }),
    form: Type.String({ description: 'The form that is allowed with it: whatever is like it.' }),
    can: Type.String({ description: 'What it would be able to do.' }),
  },
  { title: 'Construct', description: 'Something that the policy refused and a person may allow.' },
);
export type Construct = Static<typeof ConstructSchema>;

/** Settings and jobs keep no more. */
export const MOST_FORMS = 200;
