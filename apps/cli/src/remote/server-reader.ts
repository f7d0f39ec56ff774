import { ParleyError, type Entry, type RunRecord } from '@parley/core'
import type { RunsClient } from '@parley/runs-api'
import type { RunReader } from '../store/run-reader.ts'

/** Largest page that the Runs API answers with. */
const PAGE = 1_000

/** Reads runs of a server as those of a database. Sees the runs of the client's scope, whatever scope a query names. */
export function createServerReader(client: RunsClient): RunReader {
  return {
    run: runId => client.run(runId).catch(unlessUnknown),
    async runs({ scope: _scopeOfTheKey, limit = PAGE, after: _first, ...query }) {
      const found: RunRecord[] = []
      for (let after: string | undefined; ;) {
        const page = await client.runs({ ...query, after, limit: Math.min(PAGE, limit - found.length) })
        found.push(...page.runs)
        if (page.next === undefined || found.length >= limit) return found
        after = page.next
      }
    },
    async read(runId, { afterSeq = 0, limit = Infinity, signal } = {}) {
      const found: Entry[] = []
      for (let after = afterSeq; ;) {
        const page = await client.entries(runId, { after, limit: Math.min(PAGE, limit - found.length), signal })
        found.push(...page.entries)
        if (page.next === undefined || found.length >= limit) return found
        after = page.next
      }
    },
  }
}

function unlessUnknown(error: unknown): undefined {
  // 400: an id with characters that no id has.
  const isUnknown = ParleyError.is(error, 'agent-request-failed') && [400, 404].includes(error.info.status ?? 0)
  if (!isUnknown) throw error
}
