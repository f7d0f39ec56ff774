import { largeStore } from './large-store.mjs'
import { longRun } from './long-run.mjs'
import { postgres } from './postgres.mjs'
import { readers } from './readers.mjs'
import { restate } from './restate.mjs'
import { server } from './server.mjs'
import { workflows } from './workflows.mjs'

/** All workloads with a physical limit of their own. W1 to W7 are in the bench kit. @type {import('./workload.mjs').Workload[]} */
export const WORKLOADS = [server, postgres, largeStore, longRun, workflows, readers, restate]
