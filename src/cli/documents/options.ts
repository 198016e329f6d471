import type { Command } from 'commander';
import { addLanguageOptions, type LanguageOptions } from '../options/language.ts';
import { addPriceOption, type PriceFlags } from '../options/prices.ts';
import { addServiceOptions, type ServiceFlags } from '../options/service.ts';
import { addResourceOptions, type ResourceFlags } from '../execution/translation-resources.ts';
import { addDestinationOptions, type DestinationFlags } from './destinations.ts';

/** The common options of commands that translate documents. */
export interface DocumentFlags
  extends LanguageOptions, ServiceFlags, ResourceFlags, DestinationFlags, PriceFlags {}

/** @param fallback the destination without `-o` */
export function addDocumentOptions(command: Command, fallback: string): void {
  addDestinationOptions(command, fallback);
  addLanguageOptions(command);
  addServiceOptions(command);
  addPriceOption(command);
  addResourceOptions(command);
}
