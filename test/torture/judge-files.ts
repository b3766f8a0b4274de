import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Installation } from './installation.ts';

type Kept = Pick<
  Installation,
  'folder' | 'apis' | 'workers' | 'adminKey' | 'token' | 'isEncrypted' | 'assistantKey'
>;

/** No secret in any file, and nothing left over in the workers' caches. */
export function judgeFiles(installation: Kept): string[] {
  const { folder, workers, adminKey, assistantKey, token, isEncrypted } = installation;
  const secrets = {
    ...{ 'the admin key': adminKey, 'the assistant key': assistantKey, 'the host token': token },
    'the model key': 'sk-ant-torture',
  };
  const said: string[] = [];
  const roles = [...installation.apis, ...workers];
  const folders = ['data', 'postgres', 'temporal', 'tmp', ...workers.map(({ name }) => name)];
  const logs = ['postgres', 'temporal', ...roles.map(({ name }) => name)].map(
    name => `${name}.log`,
  );
  for (const name of [...logs, ...folders.flatMap(each => filesIn(folder, each))]) {
    const text = contentOf(join(folder, name));
    for (const [what, secret] of Object.entries(secrets))
      if (text.includes(secret)) said.push(`${what} is in ${name}`);
    // What agents say: scripts do not encrypt what they ask for.
    if (isEncrypted && name.startsWith('temporal/') && TITLE.test(text.toString('latin1')))
      said.push(`${name} has a title that no one encrypted`);
  }
  for (const { name } of workers) {
    const old = filesIn(folder, join(name, 'cache')).filter(path => /=gone-/.test(path));
    if (old.length > 0) said.push(`${name} has left ${old.join(' ')}`);
  }
  return said;
}

/** Of a pull request, as the model makes it. */
const TITLE = /Add \d+ lines/;

function filesIn(folder: string, below: string): string[] {
  return readdirSync(join(folder, below), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** Empty if it is just gone. */
function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
