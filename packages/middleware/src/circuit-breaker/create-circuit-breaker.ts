import {
  checkOptions,
  defineMiddleware,
  ParleyError,
  systemClock,
  checkNumber,
  type Clock,
  type Middleware,
  type ModelCall,
  type ModelEvent,
  type ToolFailure,
  type OptionKinds,
} from '@parley/core'
import { refuse } from '../outcome/refuse.ts'
import { Circuit, type CircuitState } from './circuit.ts'

export interface CircuitBreakerOptions {
  /** Number of failures in a row that opens a circuit. @default 5 */
  readonly failures?: number | undefined
  /** Milliseconds that a circuit stays open before one trial call is allowed. @default 30_000 */
  readonly openMs?: number | undefined
  /** Whether to watch each model, each tool, or both. @default 'both' */
  readonly watch?: 'models' | 'tools' | 'both' | undefined
  /** Called for each change of a circuit's state. @default none */
  readonly onChange?: ((change: CircuitChange) => void) | undefined
  /** Source of time and timers. @default systemClock */
  readonly clock?: Clock | undefined
}

/** A change of a circuit's state. */
export interface CircuitChange {
  /** Name of the circuit: `model provider/id` or `tool name`. */
  readonly circuit: string
  readonly state: CircuitState
}

/** Errors that indicate a problem of the provider. The request causes all other errors. */
const MODEL_FAILURES: readonly string[] = [
  'model-overloaded',
  'model-server',
  'model-timeout',
  'model-network',
  'model-rate-limited',
  'model-stream',
]
const TOOL_FAILURES: readonly string[] = [
  'tool-failed',
  'tool-timeout',
  'tool-output-invalid',
  'mcp-server-failed',
  'mcp-request-failed',
]

const OPTIONS: OptionKinds<CircuitBreakerOptions> = {
  failures: 'number',
  openMs: 'number',
  watch: ['models', 'tools', 'both'],
  onChange: 'function',
  clock: 'clock',
}

/**
 * Stops calling a model or tool that keeps failing, over all runs that share this middleware. While its circuit is open, a
 * model call fails at once with `model-overloaded`, and a tool call gets an error that the model reads.
 * @throws ParleyError `config-invalid` if an option is unknown or a number is invalid.
 */
export function createCircuitBreaker(options: CircuitBreakerOptions = {}): Middleware {
  checkOptions('circuitBreaker', options, OPTIONS)
  const { failures = 5, openMs = 30_000, watch = 'both', onChange, clock = systemClock } = options
  checkNumber({ path: 'circuitBreaker.failures', value: failures, whole: true })
  checkNumber({ path: 'circuitBreaker.openMs', value: openMs })
  const circuits = new Map<string, Circuit>()

  function circuitOf(circuit: string): Circuit {
    let known = circuits.get(circuit)
    if (known === undefined) {
      known = new Circuit({ failures, openMs, clock, onChange: state => onChange?.({ circuit, state }) })
      circuits.set(circuit, known)
    }
    return known
  }

  const stages = {
    model(call: ModelCall, next: (call: ModelCall) => AsyncIterable<ModelEvent>) {
      const { provider, id } = call.model
      const circuit = circuitOf(`model ${provider}/${id}`)
      const retryAfterMs = circuit.enter()
      if (retryAfterMs === 0) return judged(circuit, call, next)
      const detail = `It failed too often in a row and is not called again for ${retryAfterMs} ms.`
      throw new ParleyError({ code: 'model-overloaded', provider, model: id, detail, retryAfterMs })
    },
    tool: guardTool(circuitOf),
  }
  const watched = {
    ...(watch !== 'tools' && { model: stages.model }),
    ...(watch !== 'models' && { tool: stages.tool }),
  }
  return defineMiddleware('circuit-breaker', () => watched)
}

function guardTool(circuitOf: (name: string) => Circuit): NonNullable<ReturnType<Middleware['begin']>['tool']> {
  return async (call, next) => {
    const { name } = call.tool
    const circuit = circuitOf(`tool ${name}`)
    const leftMs = circuit.enter()
    if (leftMs > 0) {
      const reason = `it failed too often in a row and is not called again for ${leftMs} ms. Use something else.`
      return refuse({ code: 'tool-denied', tool: name, reason })
    }
    let settled = false
    try {
      const outcome = await next(call)
      settled = true
      if (outcome.type === 'ok' || outcome.type === 'answer' || outcome.type === 'handoff') circuit.succeed()
      else if (outcome.type === 'error' && !call.signal.aborted && isFault(outcome)) circuit.fail()
      else circuit.leave()
      return outcome
    } finally {
      if (!settled) circuit.leave()
    }
  }
}

function isFault({ error }: ToolFailure): boolean {
  return error === undefined || TOOL_FAILURES.includes(error.code)
}

/** Passes the stream on and reports from its end whether the model works. */
async function* judged(
  circuit: Circuit,
  call: ModelCall,
  next: (call: ModelCall) => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  let verdict: 'succeed' | 'fail' | 'leave' = 'leave'
  try {
    for await (const event of next(call)) {
      if (event.type === 'finish') verdict = 'succeed'
      yield event
    }
    if (verdict === 'leave') verdict = 'fail'
  } catch (error) {
    const isOurs = call.signal.aborted || (ParleyError.is(error) && !MODEL_FAILURES.includes(error.code))
    verdict = isOurs ? 'leave' : 'fail'
    throw error
  } finally {
    circuit[verdict]()
  }
}
