import { settlesWithin } from '@parley/core'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { createLineSplitter } from './line-splitter.ts'
import { MAX_MESSAGE_BYTES } from './max-message-bytes.ts'
import { createMessageQueue } from './message-queue.ts'
import { parseMessages } from './parse-messages.ts'
import type { ServerProcess } from './server-process.ts'

export interface StdioTransportOptions {
  /** Maximum size of a message in bytes. A server that sends a longer one is stopped. @default 64 MiB */
  readonly maxMessageBytes?: number | undefined
}

/** The SDK's transport over a process. Each line is one JSON message; other lines are skipped. */
export interface StdioTransport extends Transport {
  // The SDK recognizes a stdio transport by these two members.
  readonly pid: number
  readonly stderr: string
  /** Why the client stopped the server. `undefined` if it did not. */
  readonly fault: string | undefined
}

const EXIT_MS = 500

export function createStdioTransport(
  serverProcess: ServerProcess,
  { maxMessageBytes = MAX_MESSAGE_BYTES }: StdioTransportOptions = {},
): StdioTransport {
  const { pid, stdin, stdout, ended, stop } = serverProcess
  let fault: string | undefined
  let started = false

  function giveUp(why: string): void {
    if (fault !== undefined) return
    fault = why
    void stop(0)
  }

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
          for (const message of parseMessages(line)) if (queue.push(message)) stdout.pause()
        },
      })
      stdout.on('data', (chunk: Buffer) => {
        const whole = lines.push(chunk)
        // Backpressure: messages that wait for delivery must not fill the memory.
        if (stdout.isPaused()) void queue.drained().then(() => stdout.resume())
        if (!whole) giveUp(`it sent a message of more than ${maxMessageBytes} bytes`)
      })
      // Without stdout the server cannot answer. If it is exiting, the exit code follows within that time.
      stdout.once('end', () => {
        void settlesWithin(ended, EXIT_MS).then(exited => exited || giveUp('it closed its stdout'))
      })
      void ended.then(queue.drained).then(() => transport.onclose?.())
    },
    async send(message) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      stdin.write(`${JSON.stringify(message)}\n`, error => (error == null ? resolve() : reject(error)))
      try {
        await promise
      } catch (error) {
        // EPIPE arrives before the exit that explains it.
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
