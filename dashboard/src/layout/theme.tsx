import { useState } from 'react';
import { Segments } from '../components/controls/segments.tsx';

type Theme = 'system' | 'light' | 'dark';

/** public/theme.js reads the choice before the first paint. */
export function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(
    () => (document.documentElement.dataset['theme'] as Theme | undefined) ?? 'system',
  );
  const choose = (next: Theme) => {
    setTheme(next);
    if (next === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = next;
    try {
      if (next === 'system') localStorage.removeItem('theme');
      else localStorage.setItem('theme', next);
    } catch {
      /* storage is blocked: the choice is lost on reload */
    }
  };
  return (
    <Segments
      label="Theme"
      value={theme}
      onChange={choose}
      options={[
        ['system', 'System'],
        ['light', 'Light'],
        ['dark', 'Dark'],
      ]}
    />
  );
}
