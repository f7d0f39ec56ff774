import { ServerResponse } from 'node:http'

/**
 * Lets the headers of a stream wait two turns of the event loop for its first events, which a store that answers at once gives
 * within one turn. The adapter would write headers on their own, and each write to a socket is a system call.
 */
export function holdHeaders(outgoing: ServerResponse): void {
  const flushHeaders = (): void => {
    const before = outgoing.socket?.bytesWritten
    const flush = (): void => {
      if (outgoing.socket?.bytesWritten === before) ServerResponse.prototype.flushHeaders.call(outgoing)
    }
    setImmediate(() => setImmediate(flush))
  }
  outgoing.flushHeaders = flushHeaders
}
