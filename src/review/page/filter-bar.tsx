import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Controls } from './controls.ts';
import { type Filter, NO_FILTER, type Show, SHOWS } from './filter.ts';
import { wording } from './wording.ts';

/** Milliseconds after the last character of a search. */
const SEARCH_DELAY = 150;

export function FilterBar({ controls }: { readonly controls: Controls }): JSX.Element {
  const { store } = controls;
  const filter = store.filter.value;
  const counts = store.counts.value;
  const pack = store.pack.value;
  const apply = (change: Partial<Filter>): void => store.applyFilter({ ...store.filter.value, ...change });
  const locales = pack?.locales ?? [];
  const paths = [...new Set(pack?.files.map(({ path }) => path))];
  const formats = [...new Set(pack?.files.map(({ format }) => format))];
  const nameOf = (show: Show): string =>
    `${wording.shows[show]} (${(counts.get(show) ?? 0).toLocaleString('en')})`;
  return (
    <div class="bar filters" role="search" aria-label={wording.filters}>
      {locales.length > 1 && (
        <Choice
          label={wording.language}
          value={filter.locale}
          options={[
            ['', wording.allLanguages],
            ...locales.map((locale) => [locale, nameOfLanguage(locale)] as const),
          ]}
          onChange={(locale) => apply({ locale })}
        />
      )}
      <Choice
        label={wording.show}
        value={filter.show}
        options={SHOWS.filter(
          (show) => show === filter.show || show === 'open' || show === 'all' || counts.has(show),
        ).map((show) => [show, nameOf(show)] as const)}
        onChange={(value) => apply({ show: SHOWS.find((show) => show === value) ?? NO_FILTER.show })}
      />
      {paths.length > 1 && (
        <Choice
          label={wording.file}
          value={filter.file}
          options={[['', wording.allFiles], ...paths.map((path) => [path, path] as const)]}
          onChange={(file) => apply({ file })}
        />
      )}
      {formats.length > 1 && (
        <Choice
          label={wording.format}
          value={filter.format}
          options={[['', wording.allFormats], ...formats.map((format) => [format, format] as const)]}
          onChange={(format) => apply({ format })}
        />
      )}
      <Search controls={controls} onSearch={(text) => apply({ text })} />
      <span class="quiet">{wording.shownOf(store.shown.value.length, store.rows.length)}</span>
      {JSON.stringify(filter) !== JSON.stringify(NO_FILTER) && (
        <button type="button" onClick={() => store.applyFilter(NO_FILTER)}>
          {wording.resetFilter}
        </button>
      )}
    </div>
  );
}

interface SearchProps {
  readonly controls: Controls;
  readonly onSearch: (text: string) => void;
}

function Search({ controls, onSearch }: SearchProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    controls.focusSearch = () => field.current?.select();
  }, [controls]);
  return (
    <label class="search">
      <span>{wording.search}</span>
      <input
        ref={field}
        type="search"
        value={controls.store.filter.value.text}
        placeholder={wording.searchHint}
        onInput={({ currentTarget: { value } }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => onSearch(value), SEARCH_DELAY);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault();
          clearTimeout(timer.current);
          onSearch(event.key === 'Enter' ? event.currentTarget.value : '');
          controls.focusList();
        }}
      />
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps): JSX.Element {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

export function nameOfLanguage(locale: string): string {
  try {
    return names.of(locale) ?? locale;
  } catch {
    return locale;
  }
}
