import {
  defineMiddleware,
  ParleyError,
  systemClock,
  checkNumber,
  type Clock,
  type Middleware,
  type ModelCall,
  type ModelEvent,
  type ToolFailure,
} from '@parley/core'
import { checkFields } from '../options/check-fields.ts'
import { refuse } from '../outcome/refuse.ts'
import { Circuit, type CircuitState } from './circuit.ts'

export interface CircuitBreakerOptions {
  /** Failures in a row that open a circuit. @default 5 */
  readonly failures?: number | undefined
  /** How long it stays open before one call may try. @default 30_000 */
  readonly openMs?: number | undefined
  /** What is watched: each model, each tool, or both. @default 'both' */
  readonly watch?: 'models' | 'tools' | 'both' | undefined
  readonly onChange?: ((change: CircuitChange) => void) | undefined
  readonly clock?: Clock | undefined
}

export interface CircuitChange {
  /** `model provider/id` or `tool name`. */
  readonly circuit: string
  readonly state: CircuitState
}

/** Failures that say something about the other side; the others are the caller's. */
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

/**
 * Stops asking a model or tool that fails again and again, over all runs that share this middleware: while its circuit is
 * open, a model call fails at once with `model-overloaded`, and a tool call gets an error the model reads.
 * @throws ParleyError `config-invalid`.
 */
export function createCircuitBreaker(options: CircuitBreakerOptions = {}): Middleware {
  const { failures = 5, openMs = 30_000, watch = 'both', onChange, clock = systemClock } = options
  checkFields('circuitBreaker', options, ['failures', 'openMs', 'watch', 'onChange', 'clock'])
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
      const detail = `It failed too often in a row and is not asked again for ${retryAfterMs} ms.`
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
      const reason = `it failed too often in a row and is not tried again for ${leftMs} ms. Use something else.`
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

/** The stream, and what its end says about the model. */
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
