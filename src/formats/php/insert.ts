/** Elements of arrays, and assignments such as CodeIgniter's, follow each other as the members of an object do. */
export { insert } from '../json/insert.ts';
