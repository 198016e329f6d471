import { createFirefoxEngine } from '../../../src/engines/firefox/firefox.ts';
import { engineContract } from '../contract.ts';
import { installTiny, sharedDirectory } from './models.ts';

const modelsDirectory = installTiny(sharedDirectory(), { 'en-es': 'syllables' });

engineContract('firefox', () => createFirefoxEngine({ modelsDirectory }));
