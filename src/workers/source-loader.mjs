// Lets a worker thread read TypeScript if the program runs from its sources: loaders of the main thread do not apply.
import { register } from 'tsx/esm/api';

register();
