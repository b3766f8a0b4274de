import { CheckField, SelectField, TextField } from '../forms/form.tsx';
import type { Attributes } from './site-snippets.ts';

/** What the page sets: the tag's attributes, '' if not given. */
export const NO_OPTIONS = {
  'data-key': '',
  'data-variant': 'button',
  'data-theme': 'system',
  'data-side': 'right',
  'data-project-color': '#4350c9',
  'data-radius': '12',
  'data-language': '',
  'data-button-text': '',
  'data-modal-title': '',
  'data-modal-example-questions': '',
  'data-support-url': '',
  'data-consent-required': '',
};
export type WidgetOptions = typeof NO_OPTIONS;

/** Those that differ from what the widget does without them. */
export function attributesOf(baseUrl: string, domain: string, options: WidgetOptions): Attributes {
  const key = options['data-key'] || 'svc_dsc_…';
  const changed = Object.entries(options).filter(
    ([name, value]) =>
      name !== 'data-key' && value !== '' && value !== NO_OPTIONS[name as keyof WidgetOptions],
  );
  return [['src', `${baseUrl}/widget.js`], ['data-key', key], ['data-domain', domain], ...changed];
}

const LANGUAGES = [
  ['', 'Of the page'],
  ['en', 'English'],
  ['de', 'Deutsch'],
  ['fr', 'Français'],
  ['es', 'Español'],
  ['pt', 'Português'],
  ['ja', '日本語'],
  ['zh', '中文'],
] as const;

interface Props {
  value: WidgetOptions;
  onChange: (value: WidgetOptions) => void;
}

export function WidgetOptionsForm(props: Props) {
  const { value, onChange } = props;
  return (
    <section className="card card-pad form" aria-label="Options">
      <TextField
        {...fieldOf(props, 'data-key', 'Assistant key')}
        hint="Public. It was shown when it was created."
        placeholder="svc_dsc_…"
      />
      <LookFields {...props} />
      <TextFields {...props} />
      <CheckField
        label="Ask for consent first"
        name="data-consent-required"
        checked={value['data-consent-required'] !== ''}
        onChange={event =>
          onChange({ ...value, 'data-consent-required': event.target.checked ? 'true' : '' })
        }
      />
    </section>
  );
}

function fieldOf({ value, onChange }: Props, name: keyof WidgetOptions, label: string) {
  return {
    ...{ label, name, value: value[name] },
    onChange: (event: { target: { value: string } }) =>
      onChange({ ...value, [name]: event.target.value }),
  };
}

function LookFields(props: Props) {
  return (
    <>
      <SelectField {...fieldOf(props, 'data-variant', 'Look')}>
        <option value="button">Button and window</option>
        <option value="panel">Panel at the side</option>
        <option value="modal">Dialog in the middle</option>
      </SelectField>
      <SelectField
        {...fieldOf(props, 'data-theme', 'Theme')}
        hint="System: dark if the page is dark."
      >
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </SelectField>
      <SelectField {...fieldOf(props, 'data-side', 'Side')}>
        <option value="right">Right</option>
        <option value="left">Left</option>
      </SelectField>
      <TextField {...fieldOf(props, 'data-project-color', 'Accent')} type="color" />
      <TextField
        {...fieldOf(props, 'data-radius', 'Corners, in pixels')}
        type="number"
        min={0}
        max={32}
      />
    </>
  );
}

function TextFields(props: Props) {
  return (
    <>
      <SelectField {...fieldOf(props, 'data-language', 'Language')}>
        {LANGUAGES.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField {...fieldOf(props, 'data-button-text', 'Button')} placeholder="Ask AI" />
      <TextField {...fieldOf(props, 'data-modal-title', 'Title')} placeholder="Ask the docs" />
      <TextField
        {...fieldOf(props, 'data-modal-example-questions', 'Starter questions')}
        hint="Comma-separated, three at most."
      />
      <TextField
        {...fieldOf(props, 'data-support-url', 'Link to support')}
        hint="Gets the thread as threadId."
      />
    </>
  );
}
