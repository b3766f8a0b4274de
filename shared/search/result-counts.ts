/** How many pages a search returns unless its caller asks for another number. */
export const SEARCH_RESULTS = {
  /** Pages that the assistant answers from (`retrievalPageSize`). */
  assistant: 5,
  /** The search endpoint (`pageSize`). */
  searchEndpoint: 10,
  /** The agent's tool `search_docs` (`page_size`). */
  agentTool: 5,
} as const;

/** The most pages that a caller of the API may ask for. */
export const MAX_SEARCH_RESULTS = 50;
