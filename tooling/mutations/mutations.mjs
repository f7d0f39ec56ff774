import { CLIENT_TOOLS } from './list/client-tools.mjs'
import { CLIENTS } from './list/clients.mjs'
import { CORE } from './list/core.mjs'
import { JOURNAL } from './list/journal.mjs'
import { MIDDLEWARE } from './list/middleware.mjs'
import { PROVIDERS } from './list/providers.mjs'
import { RUN_CONTEXT } from './list/run-context.mjs'
import { RUNTIME } from './list/runtime.mjs'
import { SERVER } from './list/server.mjs'
import { SERVER_STATE } from './list/server-state.mjs'
import { STEPS } from './list/steps.mjs'
import { STORE_DRIVERS } from './list/store-drivers.mjs'
import { STORE_PARTS } from './list/store-parts.mjs'
import { STORES } from './list/stores.mjs'

/** Every fault that the tests must notice. */
export const MUTATIONS = [
  ...JOURNAL,
  ...STEPS,
  ...RUN_CONTEXT,
  ...RUNTIME,
  ...STORES,
  ...STORE_PARTS,
  ...STORE_DRIVERS,
  ...PROVIDERS,
  ...CORE,
  ...MIDDLEWARE,
  ...SERVER,
  ...SERVER_STATE,
  ...CLIENTS,
  ...CLIENT_TOOLS,
]
