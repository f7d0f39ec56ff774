import { CLIENT_TOOLS } from './list/client-tools.mjs'
import { CLIENTS } from './list/clients.mjs'
import { CORE } from './list/core.mjs'
import { JOURNAL } from './list/journal.mjs'
import { MIDDLEWARE } from './list/middleware.mjs'
import { RUNTIME } from './list/runtime.mjs'
import { SERVER } from './list/server.mjs'
import { STEPS } from './list/steps.mjs'
import { STORES } from './list/stores.mjs'

/** Every fault that the tests must notice. */
export const MUTATIONS = [
  ...JOURNAL,
  ...STEPS,
  ...RUNTIME,
  ...STORES,
  ...CORE,
  ...MIDDLEWARE,
  ...SERVER,
  ...CLIENTS,
  ...CLIENT_TOOLS,
]
