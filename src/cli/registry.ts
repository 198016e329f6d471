import type { CommandEntry, CommandSection } from './output/command.ts';

/** All subcommands, in the order of the help. A command's file is loaded only if the command is used. */
export const SECTIONS: readonly CommandSection[] = [
  {
    title: 'Projects',
    commands: [
      {
        name: 'init',
        summary: 'find the layout of the project and write its configuration',
        load: async () => (await import('./commands/init.ts')).init,
      },
      {
        name: 'sync',
        summary: 'translate new and changed texts of a project',
        load: async () => (await import('./commands/sync.ts')).sync,
      },
      {
        name: 'status',
        summary: 'show the coverage per language',
        load: async () => (await import('./commands/status.ts')).status,
      },
      {
        name: 'review',
        summary: 'approve or reject translations',
        load: async () => (await import('./commands/review.ts')).review,
      },
      {
        name: 'export',
        summary: 'write texts for translators: XLIFF, PO or XLSX',
        load: async () => (await import('./commands/export.ts')).exportTexts,
      },
      {
        name: 'import',
        summary: 'import the translations in files from translators',
        load: async () => (await import('./commands/import.ts')).importTexts,
      },
      {
        name: 'lint',
        summary: 'check placeholders, plurals, escapes and encodings of the files',
        load: async () => (await import('./commands/lint.ts')).lint,
      },
      {
        name: 'check',
        summary: 'CI gate: fail if anything is missing, stale, extra or broken',
        load: async () => (await import('./commands/check.ts')).check,
      },
    ],
  },
  {
    title: 'Files and texts',
    commands: [
      {
        name: 'i18n',
        summary: 'translate whole localization files, one new file per language',
        load: async () => (await import('./commands/i18n.ts')).i18n,
      },
      {
        name: 'markdown',
        summary: 'translate Markdown and MDX documents',
        load: async () => (await import('./commands/markdown.ts')).markdown,
      },
      {
        name: 'html',
        summary: 'translate the texts of web pages',
        load: async () => (await import('./commands/html.ts')).html,
      },
      {
        name: 'email',
        summary: 'translate an e-mail message, or a subject and an HTML body',
        load: async () => (await import('./commands/email.ts')).email,
      },
      {
        name: 'subtitles',
        summary: 'translate subtitle files, or convert them into another format',
        load: async () => (await import('./commands/subtitles.ts')).subtitles,
      },
      {
        name: 'translate',
        summary: 'translate texts, or standard input',
        load: async () => (await import('./commands/translate.ts')).translate,
      },
      {
        name: 'batch',
        summary: 'translate lines or a JSON array of texts, one result for each',
        load: async () => (await import('./commands/batch.ts')).batch,
      },
      {
        name: 'detect',
        summary: 'detect the language of texts or of standard input',
        load: async () => (await import('./commands/detect.ts')).detect,
      },
    ],
  },
  {
    title: 'Engines',
    isRare: true,
    commands: [
      {
        name: 'engines',
        summary: 'list the engines and what each can translate',
        load: async () => (await import('./commands/engines.ts')).engines,
      },
      {
        name: 'memory',
        summary: 'show, import, export, prune and repair the translation memory',
        load: async () => (await import('./commands/memory.ts')).memory,
      },
      {
        name: 'eval',
        summary: 'compare engines on texts with reference translations',
        load: async () => (await import('./commands/eval.ts')).evaluate,
      },
      {
        name: 'languages',
        summary: 'list language codes',
        load: async () => (await import('./commands/languages.ts')).languages,
      },
      {
        name: 'formats',
        summary: 'list the file formats, and test a program that reads one',
        load: async () => (await import('./commands/formats.ts')).formats,
      },
    ],
  },
  {
    title: 'Service',
    isRare: true,
    commands: [
      {
        name: 'login',
        summary: 'store the key of a service, readable only by you',
        load: async () => (await import('./commands/login.ts')).login,
      },
      {
        name: 'logout',
        summary: 'delete the stored key of a service',
        load: async () => (await import('./commands/logout.ts')).logout,
      },
      {
        name: 'account',
        summary: 'show the credits and usage of an account',
        load: async () => (await import('./commands/account.ts')).account,
      },
      {
        name: 'jobs',
        summary: 'create, watch, download and delete jobs of a service',
        load: async () => (await import('./commands/jobs.ts')).jobs,
      },
      {
        name: 'health',
        summary: 'check whether the service or a local engine can translate',
        load: async () => (await import('./commands/health.ts')).health,
      },
    ],
  },
  {
    title: 'Server',
    isRare: true,
    commands: [
      {
        name: 'serve',
        summary: 'run the whole service on this machine, over HTTP',
        load: async () => (await import('./commands/serve.ts')).serve,
      },
      {
        name: 'keys',
        summary: 'manage accounts, keys and credits of your own service',
        load: async () => (await import('./commands/keys.ts')).keys,
      },
      {
        name: 'store',
        summary: 'prepare a PostgreSQL database for servers that share it',
        load: async () => (await import('./commands/store.ts')).store,
      },
      {
        name: 'webhooks',
        summary: 'receive the webhooks of jobs on this machine, for development',
        load: async () => (await import('./commands/webhooks.ts')).webhooks,
      },
    ],
  },
  {
    title: 'Program',
    isRare: true,
    commands: [
      {
        name: 'config',
        summary: 'show the settings that apply here and where each comes from',
        load: async () => (await import('./commands/config.ts')).config,
      },
      {
        name: 'doctor',
        summary: 'check this installation, and suggest fixes for problems',
        load: async () => (await import('./commands/doctor.ts')).doctor,
      },
      {
        name: 'version',
        summary: 'print the versions of dragoman, Node and the engines',
        load: async () => (await import('./commands/version.ts')).version,
      },
      {
        name: 'completion',
        summary: 'print a completion script for bash, zsh or fish',
        load: async () => (await import('./commands/completion.ts')).completion,
      },
      {
        name: 'help',
        summary: 'print the help of a command; with --all, every option',
        load: async () => (await import('./commands/help.ts')).help,
      },
    ],
  },
];

export const COMMANDS: readonly CommandEntry[] = SECTIONS.flatMap(({ commands }) => commands);
