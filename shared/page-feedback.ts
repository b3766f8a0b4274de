/** How feedback on a page was given, and what the staff made of it. */
export const FEEDBACK_SOURCES = ['contextual', 'thumbs_only', 'code_snippet', 'agent'] as const;
export const FEEDBACK_STATUSES = ['pending', 'in_progress', 'resolved', 'dismissed'] as const;
