import fc from 'fast-check'

// The same cases in every run, so that a change fails for what it changed. PARLEY_SEED=random looks for new ones, and
// PARLEY_SEED=N repeats those that a failure names.
const { PARLEY_SEED: seed = '4711' } = process.env
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) })
