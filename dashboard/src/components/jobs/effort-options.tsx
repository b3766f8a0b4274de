import { EFFORT_NAMES } from './efforts.ts';

/** The options of a choice of how much the model may think. */
export function EffortOptions({ unset }: { unset: string }) {
  return (
    <>
      <option value="">{unset}</option>
      {EFFORT_NAMES.map(effort => (
        <option key={effort} value={effort}>
          {effort}
        </option>
      ))}
    </>
  );
}
