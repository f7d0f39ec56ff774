import type { Connection } from './open-connection.ts'
import type { McpStopReport } from '../transport/server-link.ts'

/** Connections that broke, until they are ended. */
export interface RetiredConnections {
  /** Ends it, and nobody need wait for that. */
  add(connection: Connection): void
  /** Ends those that are left and the last one, so that nothing outlives the server. @returns What took most to end. */
  stopAll(last: Connection | undefined): Promise<McpStopReport>
}

export function createRetiredConnections(kind: 'process' | 'url'): RetiredConnections {
  const connections = new Set<Connection>()

  async function retire({ link, pending }: Connection): Promise<void> {
    // One broken request does not end the others that are under way to a server behind a URL.
    if (kind === 'url') await Promise.allSettled(pending)
    await link.stop()
  }

  return {
    add(connection) {
      connections.add(connection)
      void retire(connection).finally(() => connections.delete(connection))
    },
    async stopAll(last) {
      const late = Promise.all([...connections].map(({ link }) => link.stop()))
      const report = await last?.link.stop()
      // One that had died by itself was lost, not stopped.
      const forced = (await late).filter(({ outcome }) => outcome === 'terminated' || outcome === 'killed')
      const reports = report === undefined ? forced : [report, ...forced]
      return reports.find(({ outcome }) => outcome === 'killed') ?? reports[0] ?? { outcome: 'not-running' }
    },
  }
}
