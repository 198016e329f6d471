import { withLikelyRegion } from '../languages/locale.ts';
import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

/** Minecraft reads `%d` and `%.2f` as `%s`, and `%%` as a percent sign. */
function readAs(value: string): string {
  if (!value.includes('%')) return value;
  return value.replace(/%%|%(\d+\$)?[\d.]*[df]/g, (raw, number: string | undefined) =>
    raw === '%%' ? '％' : `%${number ?? ''}s`,
  );
}

/** The game's codes for languages, used instead of the likely region. */
const REGIONS: ReadonlyMap<string, string> = new Map([
  ['ar', 'ar-SA'],
  ['cv', 'cv-CU'],
  ['eo', 'eo-UY'],
  ['la', 'la-LA'],
  ['li', 'li-LI'],
  ['nb', 'no-NO'],
  ['no', 'no-NO'],
  ['yi', 'yi-DE'],
]);

const WITHOUT_REGION: ReadonlySet<string> = new Set('bar brb isv ksh lmo lzh nah ovd sxu szl tok'.split(' '));

/**
 * The game's languages whose codes contain their likely region. `sr` is missing, because `sr_sp` does not contain a
 * country.
 */
const WITH_LIKELY_REGION: ReadonlySet<string> = new Set(
  (
    'af ast az ba be bg br bs ca cs cy da de el en es et eu fa fi fil fo fr fur fy ga gd gl haw he hi hr hu hy id ig ' +
    'is it ja ka kk kn ko kw ky lb lo lt lv mk mn ms mt nds nl nn oc pl pt ro ru se sk sl so sq sv ta th tr tt tzo uk ' +
    'uz vec vi yo zh'
  ).split(' '),
);

function regionOf(language: string): string | undefined {
  if (WITHOUT_REGION.has(language)) return language;
  return WITH_LIKELY_REGION.has(language) ? withLikelyRegion(language) : REGIONS.get(language);
}

/** A file of a Patchouli book, which contains the ids of recipes and items in addition to texts. */
const BOOK = /(?:^|\/)patchouli_books\/.+\.json$/;
const FILES = /(?:^|\/)(?:assets\/[^/]+\/lang\/[^/]+|patchouli_books\/.+)\.json$/;
/** A text of a book that is neither the key of a text nor a template's variable. */
const TEXT_IN_BOOK = /"(?:name|description|title|text|link_text)"\s*:\s*"(?![\w-]+(?:\.[\w-]+)+")[^"#]/;

const ofLanguage = messagesIn({ dialect: 'Minecraft', readAs, hasNames: false }, 'plain');
const ofBook = messagesIn(
  {
    dialect: 'Patchouli',
    hasNames: false,
    isText: ([field = '', page, ofPage = 'text', ...others]) =>
      page === undefined
        ? /^(?:name|description)$/.test(field)
        : field === 'pages' && others.length === 0 && /^(?:name|title|text|link_text)$/.test(ofPage),
  },
  'patchouli',
);

export const minecraft = describeFramework({
  id: 'minecraft',
  title: 'Minecraft mods',
  evidence: [
    { files: ['fabric.mod.json', 'quilt.mod.json'] },
    {
      files: ['mods.toml', 'neoforge.mods.toml'],
      within: /(?:src\/main\/(?:resources|templates)\/)?META-INF$/,
    },
    {
      files: ['build.gradle', 'build.gradle.kts'],
      names: [
        'fabric-loom',
        'net.minecraftforge.gradle',
        'net.neoforged.moddev',
        'net.neoforged.gradle',
        'net.neoforged.gradle.userdev',
        'dev.architectury.loom',
      ],
    },
  ],
  formats: ['json'],
  isData: ({ path, text }) => BOOK.test(path) && !TEXT_IN_BOOK.test(text()),
  holds: FILES,
  owns: FILES,
  // Minecraft has no plural forms: `x` and `x_plural` are two texts.
  messagesOf: ({ path }) => (BOOK.test(path) ? ofBook() : ofLanguage()),
  // A mod may pass arguments that its English text does not display.
  lint: { isCertain: false },
  layouts: [
    {
      style: 'lower-underscore',
      regionOf,
      paths: FILES,
      // `io_en` is Ido.
      isWholeName: true,
      // A mod has generated texts in `src/generated/resources` or `src/datagen/generated/MOD`, and human translations in
      // `src/main/resources`. A pack in `src/main/resources/resourcepacks/PACK` has its own texts.
      root: /(?<=^|\/)src\/(?:[^/]+\/resources|generated\/[^/]+|[^/]+\/generated(?:\/[^/]+)?)\/(?=assets\/)/,
    },
  ],
});
