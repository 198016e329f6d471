import fc from 'fast-check';

/**
 * The suite gives the same result every time; `FC_SEED=random npm test`, or a number, tries other examples.
 */
const wanted = process.env['FC_SEED'];
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted ?? 20_261_121) });
