import {
  checkOptions,
  costOf,
  defineMiddleware,
  ParleyError,
  totalTokens,
  ZERO_USAGE,
  systemClock,
  checkNumber,
  type Clock,
  type Middleware,
  type MiddlewareStages,
  type ModelCall,
  type ModelEvent,
  type RunFacts,
  type OptionKinds,
} from '@parley/core'
import { refuse } from '../outcome/refuse.ts'
import { Ledger, type Spent } from './ledger.ts'

export interface BudgetOptions {
  /** Maximum tokens of input, output and cache together. @default unlimited */
  readonly tokens?: number | undefined
  /** Maximum cost in US dollars. Requires models with known prices. @default unlimited */
  readonly usd?: number | undefined
  /** Maximum number of model calls. @default unlimited */
  readonly modelCalls?: number | undefined
  /** Maximum number of tool calls. @default unlimited */
  readonly toolCalls?: number | undefined
  /** Returns the key of a run. Runs with the same key share a budget. @default each run has its own budget */
  readonly key?: ((run: RunFacts) => string) | undefined
  /** Milliseconds after which a key's budget starts again, counted from its first call. @default never */
  readonly windowMs?: number | undefined
  /** Source of time and timers. @default systemClock */
  readonly clock?: Clock | undefined
}

const AMOUNTS = ['tokens', 'usd', 'modelCalls', 'toolCalls'] as const
const OPTIONS: OptionKinds<BudgetOptions> = {
  tokens: 'number',
  usd: 'number',
  modelCalls: 'number',
  toolCalls: 'number',
  key: 'function',
  windowMs: 'number',
  clock: 'clock',
}

/**
 * Limits what runs spend. The budget is checked before each call. When it is used up, a model call fails with `limit-reached`,
 * and a tool call is refused with an error that the model reads. A call in progress continues, so the last call may exceed the
 * budget.
 * @throws ParleyError `config-invalid` if no limit is given, an option is unknown, or a number is invalid.
 */
export function createBudget(options: BudgetOptions): Middleware {
  checkOptions('budget', options, OPTIONS)
  const { key, windowMs = Infinity, clock = systemClock, tokens, usd, modelCalls, toolCalls } = options
  for (const name of AMOUNTS) checkNumber({ path: `budget.${name}`, value: options[name], min: 0 })
  checkNumber({ path: 'budget.windowMs', value: windowMs })
  if (AMOUNTS.every(name => options[name] === undefined)) {
    throw new ParleyError({ code: 'config-invalid', path: 'budget', detail: `requires one of ${AMOUNTS.join(', ')}` })
  }
  const pays = tokens !== undefined || usd !== undefined
  const shared = key === undefined ? undefined : new Ledger(clock, windowMs)

  return defineMiddleware('budget', run => {
    const ledger = shared ?? new Ledger(clock, windowMs)
    const account = (): Spent => ledger.account(key?.(run) ?? '')
    const toModel: MiddlewareStages = {
      model(call, next) {
        if (usd !== undefined && call.model.info.pricing === undefined) throw unpriced(call)
        const spent = account()
        const over = overrun(spent, options, ['tokens', 'usd', 'modelCalls'])
        if (over !== undefined) throw new ParleyError({ code: 'limit-reached', ...over })
        spent.modelCalls += 1
        return pays ? metered(next(call), counted => charge(spent, call, counted)) : next(call)
      },
    }
    const toTools: MiddlewareStages = {
      async tool(call, next) {
        const spent = account()
        const over = overrun(spent, options, ['toolCalls'])
        if (over !== undefined) {
          const reason = `the budget of ${over.max} tool calls is spent. Answer with what you have.`
          return refuse({ code: 'tool-denied', tool: call.tool.name, reason })
        }
        spent.toolCalls += 1
        return next(call)
      },
    }
    return { ...((pays || modelCalls !== undefined) && toModel), ...(toolCalls !== undefined && toTools) }
  })
}

interface Overrun {
  readonly limit: string
  readonly max: number
  readonly value: number
}

function overrun(spent: Spent, options: BudgetOptions, names: readonly (keyof Spent)[]): Overrun | undefined {
  for (const name of names) {
    const max = options[name]
    if (max !== undefined && spent[name] >= max) return { limit: `budget ${name}`, max, value: spent[name] }
  }
  return undefined
}

type Counted = Pick<Extract<ModelEvent, { type: 'usage' }>, 'usage' | 'costUsd'>

/** Passes the events on and charges what the call used, whether it completes or fails. */
async function* metered(
  events: AsyncIterable<ModelEvent>,
  pay: (counted: Counted) => void,
): AsyncGenerator<ModelEvent> {
  let counted: Counted = { usage: ZERO_USAGE }
  try {
    for await (const event of events) {
      if (event.type === 'usage') counted = event
      yield event
    }
  } finally {
    pay(counted)
  }
}

function charge(spent: Spent, { model: { info } }: ModelCall, { usage, costUsd }: Counted): void {
  spent.tokens += totalTokens(usage)
  // The cost that the provider reports takes precedence over the model's prices.
  if (costUsd !== undefined) spent.usd += costUsd
  else if (info.pricing !== undefined) spent.usd += costOf(usage, info.pricing).usd
}

function unpriced({ model: { provider, id } }: ModelCall): ParleyError {
  const detail = `requires prices, but those of ${provider}/${id} are unknown. Add a pricing to the model's info`
  return new ParleyError({ code: 'config-invalid', path: 'budget.usd', detail })
}
