/**
 * The query that the browser arrived with, as it was: the router reads digits as numbers, and
 * writes them back changed.
 */
export const arrival = window.location.search;
