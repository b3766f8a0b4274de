import type { ReactNode } from 'react';

interface Props {
  columns: readonly string[];
  /** How many of them, the last ones, are numbers. */
  numbers?: number;
  /** A further column has buttons, and no name that is seen. */
  actions?: boolean;
  /** Names a table that may be wider than its place and scrolls. */
  scrolls?: string;
  /** Its rows. */
  children: ReactNode;
}

/** A table; on a phone each row is a card. */
export function Table({ columns, numbers = 0, actions = false, scrolls, children }: Props) {
  const region = scrolls && { tabIndex: 0, role: 'region', 'aria-label': scrolls };
  return (
    <div className="table-wrap" {...region}>
      <table className="table table-cards">
        <thead>
          <tr>
            {columns.map((name, at) => (
              <th
                key={name}
                scope="col"
                className={at < columns.length - numbers ? undefined : 'end'}
              >
                {name}
              </th>
            ))}
            {actions && (
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
