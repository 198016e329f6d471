/** Members of object literals follow each other as those of JSON do. */
export { insert } from '../json/insert.ts';
