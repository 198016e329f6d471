/** The first row of a sheet for translators. Readers find columns by these names, in any order. */
export const COLUMNS = ['Key', 'Source', 'Translation', 'State', 'Notes', 'File', 'ID'] as const;

/** Excel's limit, in UTF-16 code units. */
export const MAX_CELL = 32_767;

/** Characters that a cell cannot contain or that have no meaning there. */
export const SHEET_CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
