import type { LengthLimit, LengthUnit } from '../../text/length-limit.ts';
import { attributeOf, decodeAttribute, elementsOf, type XmlElement, type XmlTree } from '../xml/tree.ts';

/** `maxwidth` of version 1.2, which counts pixels if no unit is given. */
export function maxWidthOf(tree: XmlTree, unit: XmlElement): LengthLimit | undefined {
  const max = maximumIn(attributeOf(tree, unit, 'maxwidth'));
  const size = max === undefined ? undefined : attributeOf(tree, unit, 'size-unit');
  if (max === undefined || size === undefined) return undefined;
  if (size === 'char' || size === 'glyph') return { max, unit: 'characters' };
  return size === 'col' ? { max, unit: 'columns' } : undefined;
}

/** How a file of version 2 measures texts (Size and Length Restriction Module, 5.7). */
export interface SizeProfiles {
  readonly general: Measure | undefined;
  readonly storage: Measure | undefined;
}

type Measure = Omit<LengthLimit, 'max'>;

const GENERAL: ReadonlyMap<string, LengthUnit> = new Map([['xliff:codepoints', 'code points']]);
const STORAGE: ReadonlyMap<string, LengthUnit> = new Map([
  ['xliff:utf8', 'bytes in UTF-8'],
  ['xliff:utf16', 'bytes in UTF-16'],
  ['xliff:utf32', 'bytes in UTF-32'],
]);
const FORMS: ReadonlyMap<string, 'NFC' | 'NFD'> = new Map([
  ['nfc', 'NFC'],
  ['nfd', 'NFD'],
]);

/** Undefined without a standard profile: the file's restrictions then have no known meaning. */
export function sizeProfilesOf(tree: XmlTree, file: XmlElement): SizeProfiles | undefined {
  const profiles = elementsOf(file).find(({ name }) => name.endsWith(':profiles'));
  if (!profiles) return undefined;
  const normalization = elementsOf(profiles).find(({ name }) => name.endsWith(':normalization'));
  const measureOf = (
    units: ReadonlyMap<string, LengthUnit>,
    name: 'general' | 'storage',
  ): Measure | undefined => {
    const unit = units.get(attributeOf(tree, profiles, `${name}Profile`) ?? '');
    const form = normalization && FORMS.get(attributeOf(tree, normalization, name) ?? '');
    return unit && (form ? { unit, form } : { unit });
  };
  const [general, storage] = [measureOf(GENERAL, 'general'), measureOf(STORAGE, 'storage')];
  return general || storage ? { general, storage } : undefined;
}

/** The size that a unit may have: its general restriction, otherwise that of its storage. */
export function sizeRestrictionOf(
  tree: XmlTree,
  unit: XmlElement,
  { general, storage }: SizeProfiles,
): LengthLimit | undefined {
  for (const [measure, name] of [
    [general, ':sizeRestriction'] as const,
    [storage, ':storageRestriction'] as const,
  ]) {
    const attribute = measure && unit.attributes.find((one) => one.name.endsWith(name));
    const max = attribute && maximumIn(decodeAttribute(tree, attribute));
    if (measure && max !== undefined) return { max, ...measure };
  }
  return undefined;
}

/** The maximum in `[minimum,]maximum`, which `*` leaves open. */
function maximumIn(text: string | undefined): number | undefined {
  const [, max] = /^\s*(?:\d+\s*,\s*)?(\d{1,9})\s*$/.exec(text ?? '') ?? [];
  return Number(max) > 0 ? Number(max) : undefined;
}
