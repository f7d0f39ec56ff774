// Loaded before an example runs, so that an example that needs the network fails on every machine.
import { Socket } from 'node:net'

const LOCAL: ReadonlySet<unknown> = new Set([undefined, 'localhost', '127.0.0.1', '::1'])
const connect = Socket.prototype.connect

Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
  const host = hostOf(args)
  if (!LOCAL.has(host)) throw new Error(`An example must run offline, and this one connects to ${String(host)}.`)
  return Reflect.apply(connect, this, args)
}

/**
 * Returns the host of a connection. `net.connect` passes its arguments as one normalized list. Other code passes
 * options, or a port and a host.
 */
function hostOf(args: readonly unknown[]): unknown {
  const [first, second] = Array.isArray(args[0]) ? (args[0] as readonly unknown[]) : args
  if (typeof first === 'object' && first !== null) return (first as { readonly host?: unknown }).host
  return typeof first === 'number' && typeof second === 'string' ? second : undefined
}
