import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { createLineSplitter } from './line-splitter.ts'
import { createMessageQueue } from './message-queue.ts'
import { parseMessages } from './parse-messages.ts'
import type { ServerProcess } from './server-process.ts'
import { settlesWithin } from './settles-within.ts'

export interface StdioTransportOptions {
  /** Bytes a message may have; a server that sends a longer one is stopped. @default 64 MiB */
  readonly maxMessageBytes?: number | undefined
}

/** The SDK's transport over a process: one JSON message per line, lines that are none are skipped. */
export interface StdioTransport extends Transport {
  // The SDK takes a transport for stdio when it has these two.
  readonly pid: number
  readonly stderr: string
  /** Why this side gave up on the server; absent when it did not. */
  readonly fault: string | undefined
}

const EXIT_MS = 500

export function createStdioTransport(
  serverProcess: ServerProcess,
  { maxMessageBytes = 64 * 1024 * 1024 }: StdioTransportOptions = {},
): StdioTransport {
  const { pid, stdin, stdout, ended, stop } = serverProcess
  let fault: string | undefined
  let started = false

  const transport: StdioTransport = {
    pid,
    get stderr() {
      return serverProcess.stderr()
    },
    get fault() {
      return fault
    },
    async start() {
      if (started) return
      started = true
      const queue = createMessageQueue(message => transport.onmessage?.(message as JSONRPCMessage))
      const lines = createLineSplitter({
        maxBytes: maxMessageBytes,
        onLine: line => {
          for (const message of parseMessages(line)) queue.push(message)
        },
      })
      stdout.on('data', (chunk: Buffer) => {
        if (lines.push(chunk) || fault !== undefined) return
        fault = `it sent a message of more than ${maxMessageBytes} bytes`
        void stop(0)
      })
      void ended.then(queue.drained).then(() => transport.onclose?.())
    },
    async send(message) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      stdin.write(`${JSON.stringify(message)}\n`, error => (error == null ? resolve() : reject(error)))
      try {
        await promise
      } catch (error) {
        // A broken pipe is noticed before the exit that explains it.
        await settlesWithin(ended, EXIT_MS)
        throw error
      }
    },
    async close() {
      await stop()
    },
  }
  return transport
}
