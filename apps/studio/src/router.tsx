import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Link } from '@tanstack/react-router'
import { Empty } from './elements/empty.tsx'
import { Fault } from './elements/fault.tsx'
import { RunsPage } from './pages/runs/runs-page.tsx'
import { readRunFilters } from './pages/runs/run-filters.ts'
import { readCompareView } from './pages/compare/compare-view.ts'
import { readRunView } from './pages/run/run-view.ts'
import { readPlayView } from './pages/play/play-view.ts'
import { readWorkflowView } from './pages/workflows/workflow-view.ts'
import { readSpendView } from './pages/spend/spend-view.ts'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <div className="page">
      <h1>No such page</h1>
      <Empty title="The studio has no page at this address">
        Go to the <Link to="/">list of runs</Link>.
      </Empty>
    </div>
  ),
  errorComponent: ({ error }) => (
    <div className="page">
      <Fault error={error} />
    </div>
  ),
})

const runs = createRoute({ getParentRoute: () => root, path: '/', component: RunsPage, validateSearch: readRunFilters })

const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$runId',
  validateSearch: readRunView,
  component: lazyRouteComponent(() => import('./pages/run/run-page.tsx'), 'RunPage'),
})

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: readCompareView,
  component: lazyRouteComponent(() => import('./pages/compare/compare-page.tsx'), 'ComparePage'),
})

const approvals = createRoute({
  getParentRoute: () => root,
  path: '/approvals',
  component: lazyRouteComponent(() => import('./pages/approvals/approvals-page.tsx'), 'ApprovalsPage'),
})

const play = createRoute({
  getParentRoute: () => root,
  path: '/play',
  validateSearch: readPlayView,
  component: lazyRouteComponent(() => import('./pages/play/play-page.tsx'), 'PlayPage'),
})

const workflows = createRoute({
  getParentRoute: () => root,
  path: '/workflows',
  validateSearch: readWorkflowView,
  component: lazyRouteComponent(() => import('./pages/workflows/workflows-page.tsx'), 'WorkflowsPage'),
})

const spend = createRoute({
  getParentRoute: () => root,
  path: '/spend',
  validateSearch: readSpendView,
  component: lazyRouteComponent(() => import('./pages/spend/spend-page.tsx'), 'SpendPage'),
})

const workers = createRoute({
  getParentRoute: () => root,
  path: '/workers',
  component: lazyRouteComponent(() => import('./pages/operate/workers-page.tsx'), 'WorkersPage'),
})

const deadLetters = createRoute({
  getParentRoute: () => root,
  path: '/dead-letters',
  component: lazyRouteComponent(() => import('./pages/operate/dead-letters-page.tsx'), 'DeadLettersPage'),
})

const unknownCalls = createRoute({
  getParentRoute: () => root,
  path: '/unknown-calls',
  component: lazyRouteComponent(() => import('./pages/operate/unknown-calls-page.tsx'), 'UnknownCallsPage'),
})

const health = createRoute({
  getParentRoute: () => root,
  path: '/health',
  component: lazyRouteComponent(() => import('./pages/operate/health-page.tsx'), 'HealthPage'),
})

const pages = [
  runs,
  run,
  compare,
  approvals,
  play,
  workflows,
  spend,
  workers,
  deadLetters,
  unknownCalls,
  health,
] as const

/** The pages and their addresses. */
export const router = createRouter({
  routeTree: root.addChildren(pages),
  basepath: '/studio',
  defaultPreload: false,
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
