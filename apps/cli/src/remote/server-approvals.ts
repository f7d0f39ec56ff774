import { presentRun } from '../ask/present-run.ts'
import { firstPending, type Approvals } from '../commands/approve/approvals.ts'
import { modeOf, type OutputFlags } from '../flags/run-flags.ts'
import type { NamedServer } from '../flags/server-flag.ts'
import type { Terminal } from '../render/terminal.ts'
import { findRun, readShortIds } from '../store/read-run.ts'
import { openRunsClient } from './remote-options.ts'
import { createServerReader } from './server-reader.ts'
import { createServerRuntime } from './server-runtime.ts'

/** The pending calls of a server, as far as the key may read them. `command` is how the user calls the CLI. */
export function createServerApprovals(
  flags: NamedServer & OutputFlags & { readonly command: string },
  terminal: Terminal,
): Approvals {
  const client = openRunsClient(flags)
  const reader = createServerReader(client)
  const runtime = createServerRuntime(client)
  return {
    async find(wanted) {
      const { runId } = await findRun(reader, wanted)
      return firstPending(runId, await client.run(runId))
    },
    async list() {
      const { approvals } = await client.approvals()
      const calls = await Promise.all(
        approvals.map(async request => {
          const run = await client.run(request.runId)
          return { request, root: run.rootRunId === run.runId ? run : await client.run(run.rootRunId) }
        }),
      )
      const ids = await readShortIds(
        reader,
        calls.map(({ root }) => root),
      )
      return calls.map(({ request, root: { runId, updatedAt } }) => {
        return { id: ids.get(runId) ?? runId, runId, since: updatedAt, request }
      })
    },
    async decide({ runId, request }, decision, always) {
      const by = { id: '', roles: [] }
      const run = await runtime.decide(runId, request.approvalId, { decision, by })
      const { server, command } = flags
      const options = { runtime, mode: modeOf(flags), place: ` --server ${server}`, command, always }
      return presentRun(run, terminal, options)
    },
  }
}
