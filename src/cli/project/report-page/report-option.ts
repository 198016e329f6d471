import type { Command } from 'commander';
import type { Project } from '../../../project/state/project.ts';
import type { CommandContext } from '../../output/command.ts';
import type { ReportPage } from './report-page.ts';
import type { PageKind } from './summary.ts';
import { inGroup } from '../../output/help.ts';
import { requireReplaceable } from '../replaceable-file.ts';

export interface ReportOptions {
  readonly report?: string;
}

export function addReportOption(command: Command): void {
  inGroup(command, 'Output', () =>
    command.option('--report <file>', 'write an HTML page of all keys with their translations'),
  );
}

/**
 * Runs the work, and on request creates a page of its keys, which the work finishes. If the work throws, the page
 * reports this.
 *
 * @throws DragomanError `usage` for an impossible path, before any work, and errors of the work
 */
export async function withReportPage<T>(
  { report }: ReportOptions,
  kind: PageKind,
  projects: readonly Project[],
  { terminal, output }: CommandContext,
  work: (page: ReportPage | undefined) => Promise<T>,
): Promise<T> {
  if (report === undefined) return work(undefined);
  const { REPORT, ReportPage } = await import('./report-page.ts');
  const path = await requireReplaceable(report, terminal.cwd, REPORT);
  const page = await ReportPage.open({ path, kind, output });
  try {
    return await work(page);
  } catch (error) {
    await page.abandon(projects, error);
    throw error;
  }
}
