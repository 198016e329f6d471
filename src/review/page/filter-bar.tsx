import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Pack } from '../protocol.ts';
import type { Controls } from './controls.ts';
import { type Filter, NO_FILTER, type RowFilter, ROW_FILTERS, WRITERS } from './filter.ts';
import { wording } from './wording.ts';

/** Milliseconds after the last typed character before a search starts. */
const SEARCH_DELAY = 150;

export function FilterBar({ controls }: { readonly controls: Controls }): JSX.Element {
  const { store } = controls;
  const filter = store.filter.value;
  const counts = store.counts.value;
  const pack = store.pack.value;
  const apply = (change: Partial<Filter>): void => store.applyFilter({ ...store.filter.value, ...change });
  const locales = pack?.locales ?? [];
  const writers = store.writers.value;
  const nameOf = (show: RowFilter): string =>
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
        options={ROW_FILTERS.filter(
          (show) => show === filter.show || show === 'open' || show === 'all' || counts.has(show),
        ).map((show) => [show, nameOf(show)] as const)}
        onChange={(value) => apply({ show: ROW_FILTERS.find((show) => show === value) ?? NO_FILTER.show })}
      />
      <FileChoices files={pack?.files ?? []} filter={filter} onChange={apply} />
      <Choice
        label={wording.writer}
        value={filter.writer}
        options={[
          ['', wording.allWriters],
          ...WRITERS.filter((by) => by === filter.writer || writers.has(by)).map(
            (by) => [by, wording.writtenBy({ by })] as const,
          ),
        ]}
        onChange={(value) => apply({ writer: WRITERS.find((by) => by === value) ?? '' })}
      />
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

interface FileChoicesProps {
  readonly files: Pack['files'];
  readonly filter: Filter;
  readonly onChange: (change: Partial<Filter>) => void;
}

/** Filters whose values differ between files. */
function FileChoices({ files, filter, onChange }: FileChoicesProps): JSX.Element {
  const choices = [
    ['file', wording.file, wording.allFiles, files.map(({ path }) => path)],
    ['format', wording.format, wording.allFormats, files.map(({ format }) => format)],
    ['framework', wording.framework, wording.allFrameworks, files.map(({ framework }) => framework)],
  ] as const;
  return (
    <>
      {choices.map(([name, label, all, values]) => {
        const different = [...new Set(values)];
        if (different.length <= 1) return null;
        return (
          <Choice
            key={name}
            label={label}
            value={filter[name]}
            options={[['', all], ...different.map((value) => [value, value] as const)]}
            onChange={(value) => onChange({ [name]: value })}
          />
        );
      })}
    </>
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
