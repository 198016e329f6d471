import {
  commonRows,
  healthEndpointRows,
  languagesRows,
  legacyDetectRows,
  legacyRows,
  legacyTranslateRows,
  summaryRows,
} from './account-endpoints.ts';
import { authenticationRows } from './authentication.ts';
import { capabilityRows, interfaceRows } from './capabilities.ts';
import { creditRows } from './credits.ts';
import { emailRows, htmlRows, subtitleRows } from './document-endpoints.ts';
import { errorRows, versionRows } from './errors.ts';
import { deliveryRows, eventRows, payloadRows } from './events.ts';
import { createRows } from './job-creation.ts';
import { deleteRows, downloadRows, listRows, statusRows } from './job-endpoints.ts';
import { fileRows, jobRows } from './job-resources.ts';
import { accountRows, batchItemRows, healthRows, languageCodeRows, translationRows } from './resources.ts';
import { limitRows } from './limits.ts';
import type { Section } from './row.ts';
import { stateRows } from './states.ts';
import { batchRows, detectRows, translateRows } from './text-endpoints.ts';

/** The sections of the specification in order. */
export const sections: readonly Section[] = [
  interfaceRows,
  capabilityRows,
  languageCodeRows,
  translationRows,
  batchItemRows,
  jobRows,
  fileRows,
  accountRows,
  healthRows,
  stateRows,
  commonRows,
  translateRows,
  batchRows,
  htmlRows,
  emailRows,
  subtitleRows,
  detectRows,
  languagesRows,
  createRows,
  listRows,
  statusRows,
  downloadRows,
  deleteRows,
  summaryRows,
  healthEndpointRows,
  legacyTranslateRows,
  legacyDetectRows,
  legacyRows,
  authenticationRows,
  errorRows,
  limitRows,
  creditRows,
  versionRows,
];

/** The sections about webhooks, whose receivers are on this machine. */
export const eventSections: readonly Section[] = [eventRows, deliveryRows, payloadRows];
