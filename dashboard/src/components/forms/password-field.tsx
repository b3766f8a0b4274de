import type { ComponentProps } from 'react';
import { TextField } from './form.tsx';

/** The password of an existing account. */
export function PasswordField(more: Pick<ComponentProps<typeof TextField>, 'autoFocus' | 'hint'>) {
  return (
    <TextField
      label="Password"
      name="password"
      type="password"
      autoComplete="current-password"
      required
      {...more}
    />
  );
}
