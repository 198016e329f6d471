import { createLocalService } from '../../src/service/local-service.ts';
import { scriptedEngine } from '../server/harness.ts';
import { serviceContract } from './service-contract.ts';

serviceContract('the local service', {
  open: () => Promise.resolve({ service: createLocalService({ engine: scriptedEngine() }) }),
});
