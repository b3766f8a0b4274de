import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';

export interface TabPanel {
  title: string;
  content: ReactNode;
}

/** Tabs by the pattern of ARIA: arrow keys move between them. */
export function Tabs({ tabs, change }: { tabs: readonly TabPanel[]; change: string | undefined }) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(0);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (chosen + step + tabs.length) % tabs.length;
    setChosen(next);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <div className="page-tabs" data-change={change}>
      <div ref={list} role="tablist" className="page-tab-list" onKeyDown={move}>
        {tabs.map((tab, i) => (
          <button
            key={i}
            type="button"
            role="tab"
            id={`${id}-tab-${i}`}
            aria-selected={i === chosen}
            aria-controls={`${id}-panel-${i}`}
            tabIndex={i === chosen ? 0 : -1}
            onClick={() => setChosen(i)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      {tabs.map((tab, i) => (
        <div
          key={i}
          role="tabpanel"
          id={`${id}-panel-${i}`}
          aria-labelledby={`${id}-tab-${i}`}
          hidden={i !== chosen}
        >
          {tab.content}
        </div>
      ))}
    </div>
  );
}
