import { useEffect, useState } from 'react';

/** Reports the text after a pause in typing. */
export function SearchBox({
  label,
  placeholder,
  value = '',
  onChange,
}: {
  label: string;
  placeholder: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text || undefined), 250);
    return () => clearTimeout(timer);
  });
  return (
    <input
      type="search"
      className="input search"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onChange={event => setText(event.target.value)}
    />
  );
}
