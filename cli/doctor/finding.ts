/** What `docent doctor` reports about one thing. */
export interface Finding {
  name: string;
  /** The current state, or what is missing and what to do. */
  says: string;
  /** `note`: Docent works without it. */
  state: 'ok' | 'note' | 'missing';
}
