import type { SubtitleFormat } from '../../formats/subtitles/format.ts';
import type { SubtitleOptions } from '../../documents/subtitles/options.ts';
import type { DestinationFlags } from '../documents/destinations.ts';
import type { LanguageOptions } from '../language-options.ts';
import type { ServiceFlags } from '../service/options.ts';
import type { ResourceFlags } from '../translation-resources.ts';

export interface SubtitleFlags
  extends LanguageOptions, ServiceFlags, ResourceFlags, DestinationFlags, SubtitleOptions {
  readonly format?: SubtitleFormat;
  readonly encoding?: string;
  readonly strict?: boolean;
  /** Most characters a second. */
  readonly maxCps?: number;
}
