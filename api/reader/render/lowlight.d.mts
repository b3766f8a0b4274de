/** A piece of code that has a colour, or text. */
export interface Coloured {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: unknown[];
}

export const common: unknown;
export function createLowlight(grammars: unknown): {
  registered(language: string): boolean;
  highlight(language: string, code: string): Coloured;
};
