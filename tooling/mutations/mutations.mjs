import { CORE } from './list/core.mjs'
import { JOURNAL } from './list/journal.mjs'
import { MIDDLEWARE } from './list/middleware.mjs'
import { RUNTIME } from './list/runtime.mjs'
import { STEPS } from './list/steps.mjs'
import { STORES } from './list/stores.mjs'

/** Every fault that the tests must notice. */
export const MUTATIONS = [...JOURNAL, ...STEPS, ...RUNTIME, ...STORES, ...CORE, ...MIDDLEWARE]
