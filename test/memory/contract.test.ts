import { memoryContract } from './contract.ts';
import { openMemory } from './harness.ts';
import { MemoryFake } from './memory-fake.ts';

memoryContract('the memory in a file', () => openMemory());
memoryContract('the fake of the tests', () => Promise.resolve(new MemoryFake()));
