import type { SubtitleFormat } from '../../formats/subtitles/document.ts';
import type { SubtitleOptions } from '../../pipeline/subtitles/options.ts';
import type { LanguageOptions } from '../language-options.ts';
import type { ServiceFlags } from '../service/options.ts';
import type { ResourceFlags } from '../translation-resources.ts';

export interface SubtitleFlags extends LanguageOptions, ServiceFlags, ResourceFlags, SubtitleOptions {
  readonly format?: SubtitleFormat;
  readonly output?: string;
  readonly encoding?: string;
  readonly skipExisting?: boolean;
  readonly strict?: boolean;
}
