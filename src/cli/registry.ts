import type { CommandEntry } from './command.ts';

/** Every subcommand, in the order of the help text. A command's file is loaded only when the command is used. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'sync',
    summary: 'translate a localization directory: what is new or changed, nothing else',
    load: async () => (await import('./commands/sync.ts')).sync,
  },
  {
    name: 'i18n',
    summary: 'translate whole localization files, one new file per language',
    load: async () => (await import('./commands/i18n.ts')).i18n,
  },
  {
    name: 'jobs',
    summary: 'translation jobs of a service: create, list, watch, download, delete',
    load: async () => (await import('./commands/jobs.ts')).jobs,
  },
  {
    name: 'translate',
    summary: 'translate texts, or standard input',
    load: async () => (await import('./commands/translate.ts')).translate,
  },
  {
    name: 'batch',
    summary: 'translate lines, or a JSON array of texts: one outcome for each',
    load: async () => (await import('./commands/batch.ts')).batch,
  },
  {
    name: 'subtitles',
    summary: 'translate SRT and VTT files, or convert one into the other',
    load: async () => (await import('./commands/subtitles.ts')).subtitles,
  },
  {
    name: 'html',
    summary: 'translate web pages: their texts, nothing else',
    load: async () => (await import('./commands/html.ts')).html,
  },
  {
    name: 'email',
    summary: 'translate a message with its parts, or a subject and an HTML body',
    load: async () => (await import('./commands/email.ts')).email,
  },
  {
    name: 'lint',
    summary: 'check placeholders, plurals, escapes and encodings of the files as they are',
    load: async () => (await import('./commands/lint.ts')).lint,
  },
  {
    name: 'check',
    summary: 'the gate for CI: lint, and what is missing, stale or extra',
    load: async () => (await import('./commands/check.ts')).check,
  },
  {
    name: 'status',
    summary: 'coverage per language',
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'init',
    summary: 'find the layout of the project and write its configuration',
    load: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'detect',
    summary: 'tell the language of texts, or of standard input',
    load: async () => (await import('./commands/detect.ts')).detect,
  },
  {
    name: 'languages',
    summary: 'list language codes',
    load: async () => (await import('./commands/languages.ts')).languages,
  },
  {
    name: 'account',
    summary: 'credits and usage',
    load: async () => (await import('./commands/account.ts')).account,
  },
  {
    name: 'health',
    summary: 'whether the service, or the engine here, can translate',
    load: async () => (await import('./commands/health.ts')).health,
  },
  {
    name: 'login',
    summary: 'store the key of a service, for you alone',
    load: async () => (await import('./commands/login.ts')).login,
  },
  {
    name: 'logout',
    summary: 'forget the key of a service',
    load: async () => (await import('./commands/logout.ts')).logout,
  },
  {
    name: 'config',
    summary: 'the settings that hold here, and where each comes from',
    load: async () => (await import('./commands/config.ts')).config,
  },
  {
    name: 'engines',
    summary: 'what can translate what, here and now',
    load: async () => (await import('./commands/engines.ts')).engines,
  },
  {
    name: 'eval',
    summary: 'compare engines by a file of texts with reference translations',
    load: async () => (await import('./commands/eval.ts')).evaluate,
  },
  {
    name: 'memory',
    summary: 'the translation memory: what is in it, import, export, prune, repair',
    load: async () => (await import('./commands/memory.ts')).memory,
  },
  {
    name: 'serve',
    summary: 'the whole service on this machine, over HTTP',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'keys',
    summary: 'accounts, keys and credits of the service on this machine',
    load: async () => (await import('./commands/keys.ts')).keys,
  },
  {
    name: 'webhooks',
    summary: 'receive the webhooks of jobs on this machine, for development',
    load: async () => (await import('./commands/webhooks.ts')).webhooks,
  },
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
];
