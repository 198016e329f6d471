// Lets a worker thread read TypeScript, when the program runs from its sources: a loader of the main thread does not.
import { register } from 'tsx/esm/api';

register();
