import { settlesWithin } from '@parley/core'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { createLineSplitter } from './line-splitter.ts'
import { createMessageQueue } from './message-queue.ts'
import { parseMessages } from './parse-messages.ts'
import type { ServerProcess } from './server-process.ts'

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
        // A server that tells more than is heard has to wait, and must not fill the memory meanwhile.
        if (stdout.isPaused()) void queue.drained().then(() => stdout.resume())
        if (!whole) giveUp(`it sent a message of more than ${maxMessageBytes} bytes`)
      })
      // It can never answer again; one that exits says so within that time.
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
