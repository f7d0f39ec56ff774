import { userInfo } from 'node:os'
import type { RunRecord, Store } from '@parley/core'
import { modeOf, type AgentsFlag, type OutputFlags } from '../../flags/run-flags.ts'
import type { Terminal } from '../../render/terminal.ts'
import { openExistingStore } from '../../store/open-store.ts'
import { findRun, readShortIds, readStoredRun } from '../../store/read-run.ts'
import { runRecordedAgent } from '../run-recorded-agent.ts'
import { firstPending, type Approvals, type ListedCall } from './approvals.ts'

export interface StoredApprovalsOptions extends OutputFlags, AgentsFlag {
  readonly db: string
  /** How the user calls the CLI. */
  readonly command: string
  /** Role of the user. @default none */
  readonly role?: string | undefined
}

/** The pending calls of a database. */
export function createStoredApprovals(
  { db, command, role, agents, ...output }: StoredApprovalsOptions,
  terminal: Terminal,
): Approvals {
  return {
    async find(wanted) {
      const { createRuntime } = await import('@parley/engine')
      await using store = await openExistingStore(db)
      const { runId } = await findRun(store, wanted)
      return firstPending(runId, await createRuntime({ store }).pending(runId))
    },
    async list() {
      const { createRuntime } = await import('@parley/engine')
      await using store = await openExistingStore(db)
      const runtime = createRuntime({ store })
      const found: ListedCall[] = []
      for (const record of await unfinishedRuns(store)) {
        const { runId, updatedAt: since } = record
        const { approvals } = await runtime.pending(runId)
        if (approvals.length === 0) continue
        const id = (await readShortIds(store, [record])).get(runId) ?? runId
        for (const request of approvals) found.push({ id, runId, since, request })
      }
      return found
    },
    async decide({ runId, request }, decision, always) {
      const { started } = await readStoredRun(db, runId)
      const by = { id: userInfo().username, roles: role === undefined ? [] : [role] }
      const options = { started, agents, mode: modeOf(output), database: db, command, role, always }
      return runRecordedAgent(options, terminal, ({ runtime }) =>
        runtime.decide(runId, request.approvalId, { decision, by }),
      )
    },
  }
}

const LISTED = 100

/**
 * Returns the unfinished root runs. A running run counts too: it may work on one call while another call waits for a
 * decision.
 */
async function unfinishedRuns(store: Store): Promise<readonly RunRecord[]> {
  const [suspended, running] = await Promise.all(
    (['suspended', 'running'] as const).map(status => store.runs({ scope: 'default', status, limit: LISTED })),
  )
  const all = [...(suspended ?? []), ...(running ?? [])]
  // A pending call of a child run is listed with its root run.
  return all.filter(({ relation }) => relation !== 'sub-agent')
}
