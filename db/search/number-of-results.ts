/** Results of a search, unless the caller asks for another number: distinct pages. */
export const RESULTS = {
  /** For an answer of the assistant: `retrievalPageSize`. */
  assistant: 5,
  /** For a caller of the search endpoint: `pageSize`. */
  endpoint: 10,
  /** For the agent's tool `search_docs`: `page_size`. */
  agent: 5,
};

/** What callers of the assistant and of the endpoint can ask for at most. */
export const MOST_RESULTS = 50;
/** What the agent can ask for at most. */
export const MOST_AGENT_RESULTS = 20;

/** The best sections of each page that a result shows. */
export const SECTIONS_OF_RESULT = 3;
