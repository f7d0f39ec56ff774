import type { Connection } from './open-connection.ts'
import type { McpStopReport } from '../transport/server-link.ts'

/** Connections that broke and are not stopped yet. */
export interface RetiredConnections {
  /** Stops the connection in the background. */
  add(connection: Connection): void
  /**
   * Stops all broken connections and the `last` one, so that no process of the server keeps running.
   * @returns The report of a connection whose process was killed, otherwise the report of the last connection.
   */
  stopAll(last: Connection | undefined): Promise<McpStopReport>
}

export function createRetiredConnections(kind: 'process' | 'url'): RetiredConnections {
  const connections = new Set<Connection>()

  async function retire({ link, pending }: Connection): Promise<void> {
    // One broken HTTP request does not break the other pending requests.
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
      // A process that had exited by itself was lost, not stopped.
      const forced = (await late).filter(({ outcome }) => outcome === 'terminated' || outcome === 'killed')
      const reports = report === undefined ? forced : [report, ...forced]
      return reports.find(({ outcome }) => outcome === 'killed') ?? reports[0] ?? { outcome: 'not-running' }
    },
  }
}
