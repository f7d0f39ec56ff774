import { ParleyError } from '@parley/core'

const PROTOCOLS = ['agent-api', 'openai-responses', 'openai-chat', 'ag-ui', 'ai-sdk-ui'] as const

/** A protocol that begins runs. */
export type ServerProtocol = (typeof PROTOCOLS)[number]

/** What happens to a run whose client disconnects before it has the whole answer. */
export type OnDisconnect = 'continue' | 'cancel'

/** What happens to a message for a session that has an unfinished run. */
export type OnBusy = 'queue' | 'cancel' | 'refuse'

/** One value for every protocol, or values by protocol; the others keep their defaults. */
export type PerProtocol<TValue> = TValue | Readonly<Partial<Record<ServerProtocol, TValue>>>

export interface ProtocolRuleOptions {
  readonly onDisconnect?: PerProtocol<OnDisconnect> | undefined
  readonly onBusy?: PerProtocol<OnBusy> | undefined
  /** Whether Agent API clients are those of the reference, which cannot resume a stream. */
  readonly isReference: boolean
}

/** How each protocol treats clients that leave and sessions that are busy. */
export interface ProtocolRules {
  /** `stream` tells whether the client reads a stream; otherwise it waits for the whole answer. */
  onDisconnect(protocol: ServerProtocol, stream: boolean): OnDisconnect
  onBusy(protocol: ServerProtocol): OnBusy
}

/** Adds the defaults. @throws ParleyError `config-invalid` if a protocol or a value is unknown. */
export function createProtocolRules({ onDisconnect, onBusy, isReference }: ProtocolRuleOptions): ProtocolRules {
  const disconnect = byProtocol('onDisconnect', onDisconnect, ['continue', 'cancel'])
  const busy = byProtocol('onBusy', onBusy, ['queue', 'cancel', 'refuse'])
  const isChat = (protocol: ServerProtocol): boolean => protocol === 'ag-ui' || protocol === 'ai-sdk-ui'

  function disconnectDefault(protocol: ServerProtocol, stream: boolean): OnDisconnect {
    if (protocol === 'agent-api') return isReference ? 'cancel' : 'continue'
    // A client that gave up waiting for a whole completion sends the request again. Closing a stream is how a user stops it.
    if (protocol === 'openai-chat') return stream ? 'cancel' : 'continue'
    return isChat(protocol) ? 'cancel' : 'continue'
  }
  return {
    onDisconnect: (protocol, stream) => disconnect[protocol] ?? disconnectDefault(protocol, stream),
    onBusy: protocol => busy[protocol] ?? (isChat(protocol) ? 'queue' : 'refuse'),
  }
}

function byProtocol<TValue extends string>(
  path: string,
  given: PerProtocol<TValue> | undefined,
  values: readonly TValue[],
): Partial<Record<ServerProtocol, TValue>> {
  const all =
    typeof given === 'string' ? Object.fromEntries(PROTOCOLS.map(protocol => [protocol, given])) : { ...given }
  for (const [protocol, value] of Object.entries(all)) {
    if (!PROTOCOLS.some(each => each === protocol))
      throw new ParleyError({ code: 'config-invalid', path: `${path}.${protocol}`, detail: 'is an unknown protocol' })
    if (value !== undefined && !values.some(each => each === value))
      throw new ParleyError({ code: 'config-invalid', path, detail: `must be one of ${values.join(', ')}` })
  }
  return all
}
