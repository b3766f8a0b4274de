/** What `docent doctor` found out about one thing. */
export interface Finding {
  name: string;
  /** What is, or what is missing and what to do. */
  says: string;
  /** `note`: works without. */
  state: 'ok' | 'note' | 'missing';
}
