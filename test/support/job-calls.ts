export interface JobBody {
  id: string;
  status: string;
  prLink: string | null;
  model: string;
  source: { repository: string; ref: string | null };
  archivedAt: string | null;
}

/** What tests ask of the agent API. */
export interface JobCalls {
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: unknown; headers: Headers }>;
  /** In the stack's project unless another one is named. */
  create(prompt: string, more?: Record<string, unknown>, projectId?: string): Promise<JobBody>;
  message(jobId: string, prompt: string): Promise<JobBody>;
  /**
   * GETs what a caller with patience gets: a busy machine answers 503 now and then. `rest`: of the
   * job's path.
   */
  get<T>(jobId: string, rest?: string): Promise<T>;
  job(jobId: string): Promise<JobBody>;
  /** Waits until the job rests. */
  rest(jobId: string, timeoutMs?: number, projectId?: string): Promise<JobBody>;
}

const PATIENCE_MS = 120_000;

export function jobCalls(baseUrl: string, adminKey: string, ownProject: string): JobCalls {
  const pathOf = (jobId: string, rest = '', projectId = ownProject) =>
    `/v2/agent/${projectId}/job/${jobId}${rest}`;

  const call: JobCalls['call'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
    };
  };

  async function post(what: string, path: string, wanted: number, body: unknown): Promise<JobBody> {
    const answer = await call('POST', path, body);
    if (answer.status !== wanted)
      throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as JobBody;
  }

  const get = <T>(jobId: string, rest = '') =>
    patientGet<T>(call, pathOf(jobId, rest), Date.now() + PATIENCE_MS);

  return {
    call,
    get,
    job: jobId => get<JobBody>(jobId),
    create: (prompt, more = {}, projectId = ownProject) =>
      post('create', `/v2/agent/${projectId}/job`, 201, { prompt, ...more }),
    message: (jobId, prompt) => post('message', pathOf(jobId, '/message'), 200, { prompt }),
    async rest(jobId, timeoutMs = 40_000, projectId = ownProject) {
      for (const end = Date.now() + timeoutMs; ;) {
        const path = pathOf(jobId, '', projectId);
        const job = await patientGet<JobBody>(call, path, end, { prefer: 'wait=5' });
        if (job.status !== 'active') return job;
        if (Date.now() > end) throw new Error(`job ${jobId} is still active`);
      }
    },
  };
}

/** The body of a 200, asked for again after a 503 until `end`. */
async function patientGet<T>(
  call: JobCalls['call'],
  path: string,
  end: number,
  headers?: Record<string, string>,
): Promise<T> {
  for (; ; await new Promise(resolve => setTimeout(resolve, 500))) {
    const { status, body } = await call('GET', path, undefined, headers);
    if (status === 200) return body as T;
    if (status !== 503 || Date.now() > end)
      throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
  }
}
