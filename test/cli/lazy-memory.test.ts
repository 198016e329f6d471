import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { LazyMemory, type ClosableMemory } from '../../src/cli/execution/translation-resources.ts';
import { MemoryFake } from '../memory/memory-fake.ts';

const PAIR = { source: 'en', target: 'es' };
const MESSAGE = { segments: ['Save'], placeholders: [], category: '', context: '' };
const ENTRY = { ...MESSAGE, translations: ['Guardar'], origin: 'human' as const };

/** A memory over `open`, with its calls and reports. */
function lazy(open: () => Promise<ClosableMemory>): {
  readonly memory: LazyMemory;
  readonly told: string[];
  readonly opened: () => number;
} {
  const told: string[] = [];
  let opened = 0;
  const memory = new LazyMemory(
    () => {
      opened++;
      return open();
    },
    ({ message }) => told.push(message),
  );
  return { memory, told, opened: () => opened };
}

const broken = (): Promise<never> => Promise.reject(new DragomanError('unreadable_input', 'it is damaged'));

describe('a memory that is opened on demand', () => {
  it('is opened once, and only if it is used', async () => {
    const unused = lazy(() => Promise.resolve(new MemoryFake()));
    await unused.memory.close();
    expect(unused.opened()).toBe(0);
    const used = lazy(() => Promise.resolve(new MemoryFake()));
    await used.memory.store([ENTRY], PAIR);
    expect(await used.memory.find([MESSAGE], PAIR)).toMatchObject([{ translations: ['Guardar'] }]);
    expect(used.opened()).toBe(1);
  });

  it('is not used again after a failure, which is reported once', async () => {
    const { memory, told, opened } = lazy(broken);
    expect(await memory.find([MESSAGE], PAIR)).toEqual([]);
    expect(await memory.findSimilar(MESSAGE, PAIR)).toEqual([]);
    await memory.store([ENTRY], PAIR);
    await memory.close();
    expect([told, opened()]).toEqual([['it is damaged'], 1]);
  });

  it('does not fail the work if it cannot be closed', async () => {
    const { memory, told } = lazy(() => Promise.resolve(Object.assign(new MemoryFake(), { close: broken })));
    await memory.store([ENTRY], PAIR);
    await memory.close();
    expect(told).toEqual(['it is damaged']);
  });

  it('does not hide a defect of the program', async () => {
    const { memory, told } = lazy(() => Promise.reject(new TypeError('a defect')));
    await expect(memory.find([MESSAGE], PAIR)).rejects.toThrow('a defect');
    expect(told).toEqual([]);
  });
});
