import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useOrganization } from '../../data/place.ts';
import { jobFiltersQuery } from '../../data/queries.ts';
import { jobSearch, type JobSearch, OUTCOMES } from '../../routes/job-search.ts';
import { SearchBox } from '../controls/search-box.tsx';
import { OUTCOME_LOOKS } from './outcome-badge.tsx';

const FIRST_DAY = '2020-01-01';

interface Props {
  filter: JobSearch;
  onFilter: (filter: JobSearch, replace: boolean) => void;
}

/** By words, state, person, model, date and pull request. */
export function JobFilters({ filter, onFilter }: Props) {
  const { slug } = useOrganization();
  const { data: options = { people: [], models: [] } } = useQuery(jobFiltersQuery(slug));
  // What is not a filter's value is left out.
  const change = (name: keyof JobSearch, value: unknown, replace = false) =>
    onFilter(jobSearch({ ...filter, [name]: value }), replace);
  return (
    <div className="filters" role="search" aria-label="Jobs">
      <SearchBox
        label="Search jobs"
        placeholder="Search jobs"
        value={filter.search}
        onChange={search => change('search', search, true)}
      />
      <Choice label="State" value={filter.outcome} onChange={value => change('outcome', value)}>
        <option value="">Any state</option>
        {OUTCOMES.map(outcome => (
          <option key={outcome} value={outcome}>
            {OUTCOME_LOOKS[outcome].word}
          </option>
        ))}
      </Choice>
      <Choice label="Started by" value={filter.person} onChange={value => change('person', value)}>
        <option value="">Anyone</option>
        {options.people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value="key">A script, with a key</option>
      </Choice>
      <Choice label="Model" value={filter.model} onChange={value => change('model', value)}>
        <option value="">Any model</option>
        {options.models.map(model => (
          <option key={model}>{model}</option>
        ))}
      </Choice>
      <NumberInput
        value={filter.pullRequest}
        onChange={number => change('pullRequest', number, true)}
      />
      <DateInput label="From" value={filter.since} onChange={day => change('since', day)} />
      <DateInput label="Until" value={filter.until} onChange={day => change('until', day)} />
    </div>
  );
}

function NumberInput({
  value = '',
  onChange,
}: {
  value: number | '' | undefined;
  onChange: (number: string) => void;
}) {
  return (
    <label className="filter">
      PR
      <input
        type="number"
        min={1}
        className="input filter-number"
        aria-label="Pull request number"
        value={value}
        onChange={event => onChange(event.target.value)}
      />
    </label>
  );
}

function Choice({
  label,
  value = '',
  onChange,
  children,
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
  children: ReactNode;
}) {
  return (
    <select
      className="input"
      aria-label={label}
      value={value}
      onChange={event => onChange(event.target.value)}
    >
      {children}
    </select>
  );
}

/** What is typed counts once it is a whole day of a year that can be meant. */
function DateInput({
  label,
  value = '',
  onChange,
}: {
  label: string;
  value: string | undefined;
  onChange: (day: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  // Not controlled: a day that is half typed has no value, and must not be emptied.
  useEffect(() => {
    if (input.current && input.current.value !== value && !input.current.matches(':focus'))
      input.current.value = value;
  }, [value]);
  return (
    <label className="filter">
      {label}
      <input
        ref={input}
        type="date"
        min={FIRST_DAY}
        className="input"
        defaultValue={value}
        onChange={({ target }) => {
          if (target.value >= FIRST_DAY || (target.value === '' && !target.validity.badInput))
            onChange(target.value);
        }}
      />
    </label>
  );
}
