import {
  defineMiddleware,
  ParleyError,
  type InputFilter,
  type Message,
  type Middleware,
  type RunFacts,
  type Tool,
} from '@parley/core'
import { checkFields } from '../options/check-fields.ts'
import { mapOutcome } from '../outcome/map-outcome.ts'
import { maskMessage } from './mask-message.ts'
import { maskStream } from './mask-stream.ts'
import { PII_KINDS, type PiiKind } from './pii-span.ts'
import type { PiiVault } from './pii-vault.ts'
import { protectTool } from './protect-tool.ts'
import { createTextMask, type TextMask } from './text-mask.ts'

export interface PiiMaskOptions {
  /** What is masked. @default all kinds */
  readonly kinds?: readonly PiiKind[] | undefined
  /** Makes masking reversible: a value becomes `[EMAIL_1]` instead of `[EMAIL]`. @default none */
  readonly vault?: PiiVault | undefined
  /** Runs of one partition share placeholders, and so may see each other's values. @default the session */
  readonly partition?: ((run: Pick<RunFacts, 'sessionId' | 'scope'>) => string) | undefined
}

export interface PiiMask {
  /** Masks what people send before it is journaled: one of the agent's `inputFilters`. */
  readonly inputFilter: InputFilter
  /** Masks what models are sent and answer, and what tools give, before it is shown or journaled. */
  readonly middleware: Middleware
  /** A tool whose handler gets the real values; other tools get the placeholders. Needs a vault. */
  protect<TInput, TOutput>(tool: Tool<TInput, TOutput>): Tool<TInput, TOutput>
  /** A text for somebody who may see the real values, the person who talks to the agent, say. Needs a vault. */
  restore(text: string, run: Pick<RunFacts, 'sessionId' | 'scope'>): string
  /** Removes from the vault what was masked in a session; its placeholders can be restored no more. Needs a vault. */
  forget(run: Pick<RunFacts, 'sessionId' | 'scope'>): void
}

/**
 * Keeps personal data out of models, events and journals. Use its parts together: the filter and the middleware on the
 * agent, and `protect` around each tool that needs the real values. An agent's own instructions are not masked.
 * @throws ParleyError `config-invalid`.
 */
export function createPiiMask(options: PiiMaskOptions = {}): PiiMask {
  const { kinds = PII_KINDS, vault, partition = ownSession } = options
  checkFields('piiMask', options, ['kinds', 'vault', 'partition'])
  for (const kind of kinds) {
    if (PII_KINDS.includes(kind)) continue
    const detail = `'${kind}' is no kind. Kinds: ${PII_KINDS.join(', ')}`
    throw new ParleyError({ code: 'config-invalid', path: 'piiMask.kinds', detail })
  }
  const maskOf = (run: Pick<RunFacts, 'sessionId' | 'scope'>): TextMask =>
    createTextMask({ kinds, vault, partition: partition(run) })

  return {
    inputFilter: {
      name: 'pii-mask',
      check(message, { run }) {
        const masked = maskMessage(message, text => maskOf(run).mask(text))
        return masked === message ? 'pass' : { type: 'replace', message: masked, reason: 'personal data was masked' }
      },
    },
    middleware: maskingMiddleware(maskOf, kinds),
    protect(tool) {
      needVault(vault, 'protect')
      return protectTool(tool, maskOf)
    },
    restore(text, run) {
      needVault(vault, 'restore')
      return maskOf(run).restore(text)
    },
    forget(run) {
      needVault(vault, 'forget')
      vault.forget(partition(run))
    },
  }
}

function maskingMiddleware(maskOf: (run: RunFacts) => TextMask, kinds: readonly PiiKind[]): Middleware {
  return defineMiddleware('pii-mask', run => {
    const mask = maskOf(run)
    const rewrite = (text: string): string => mask.mask(text)
    // A message is masked once, and stays the same object for whoever keeps something by it.
    const known = new WeakMap<Message, Message>()
    const masked = (message: Message): Message => {
      let found = known.get(message)
      if (found === undefined) {
        found = maskMessage(message, rewrite)
        known.set(message, found)
      }
      return found
    }
    return {
      model(call, next) {
        const request = { ...call.request, messages: call.request.messages.map(masked) }
        return maskStream(next({ ...call, request }), mask, kinds)
      },
      async tool(call, next) {
        return mapOutcome(await next(call), rewrite)
      },
    }
  })
}

function ownSession({ scope, sessionId }: Pick<RunFacts, 'sessionId' | 'scope'>): string {
  return JSON.stringify([scope, sessionId])
}

function needVault(vault: PiiVault | undefined, method: string): asserts vault is PiiVault {
  if (vault !== undefined) return
  throw new ParleyError({ code: 'config-invalid', path: 'piiMask.vault', detail: `is needed by ${method}` })
}
