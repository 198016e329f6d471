import { join } from 'node:path';
import { memoryContract } from './contract.ts';
import { openMemory, temporaryDirectory } from './harness.ts';
import { MemoryFake } from './memory-fake.ts';

memoryContract('the memory in a file', () => {
  const path = join(temporaryDirectory(), 'memory.db');
  return (project) => openMemory(path, { project });
});
memoryContract('the fake of the tests', () => {
  const fake = new MemoryFake();
  return (project) => Promise.resolve(project === undefined ? fake : fake.forProject(project));
});
