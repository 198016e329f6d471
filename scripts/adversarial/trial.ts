import type { Engine } from '../../src/engines/engine.ts';
import { translateUnits } from '../../src/pipeline/units.ts';
import { breakageOf, hostileUnits, type HostileUnit } from './strings.ts';

/** A test of one engine in one direction, with strings that contain placeholders. */
export interface Trial {
  readonly source: string;
  readonly target: string;
  /** The result, in words. */
  readonly what: string;
  readonly open: () => Promise<Engine>;
  /** The only syntax of its strings. Default: strings of every syntax. */
  readonly only?: string | undefined;
}

export interface Broken {
  readonly unit: HostileUnit;
  readonly translation: string;
  readonly breakage: readonly string[];
}

export interface TrialResult {
  readonly translated: number;
  readonly reported: number;
  readonly broken: readonly Broken[];
  readonly seconds: number;
}

/** Every string is translated or reported; broken translations are detected without the program's help. */
export async function runTrial({ source, target, open, only }: Trial, count: number): Promise<TrialResult> {
  const engine = await open();
  const units = hostileUnits(count, undefined, only);
  const signal = new AbortController().signal;
  const started = performance.now();
  try {
    const outcomes = await translateUnits(units, { engine, source, target, signal });
    const broken = units.flatMap((unit, i): Broken[] => {
      const outcome = outcomes[i];
      if (!outcome || 'failure' in outcome) return [];
      const breakage = breakageOf(unit, outcome.value);
      return breakage.length > 0 ? [{ unit, translation: outcome.value, breakage }] : [];
    });
    const translated = outcomes.filter((outcome) => 'value' in outcome).length;
    return {
      translated,
      reported: outcomes.filter((outcome) => 'failure' in outcome && outcome.failure !== '').length,
      broken,
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    await engine.close();
  }
}
