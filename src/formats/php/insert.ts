/** Array elements, and assignments such as CodeIgniter's, are inserted like the members of an object. */
export { insert } from '../json/insert.ts';
