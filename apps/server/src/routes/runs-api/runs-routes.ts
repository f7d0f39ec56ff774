import { APPROVAL_ROUTES } from './approvals.ts'
import { EVENT_ROUTES } from './events.ts'
import { INFO_ROUTES } from './info.ts'
import { READ_ROUTES } from './reads.ts'
import { REPORT_ROUTES } from './reports.ts'
import { AS_TEST_ROUTES } from './as-test.ts'
import type { RunsRoute } from './runs-route.ts'
import { UNKNOWN_CALL_ROUTES } from './unknown-calls.ts'
import { WORKFLOW_ROUTES } from './workflows.ts'
import { VERB_ROUTES } from './verbs.ts'

/** Every route of the Runs API. */
export const RUNS_ROUTES: readonly RunsRoute[] = [
  ...INFO_ROUTES,
  ...READ_ROUTES,
  ...EVENT_ROUTES,
  ...VERB_ROUTES,
  ...APPROVAL_ROUTES,
  ...REPORT_ROUTES,
  ...UNKNOWN_CALL_ROUTES,
  ...WORKFLOW_ROUTES,
  ...AS_TEST_ROUTES,
]
