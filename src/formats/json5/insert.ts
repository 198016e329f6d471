/** Members of JSON5 follow each other as those of JSON do. */
export { insert } from '../json/insert.ts';
