import {
  checkOptions,
  defineMiddleware,
  ParleyError,
  type InputFilter,
  type Message,
  type Middleware,
  type RunFacts,
  type Tool,
  type OptionKinds,
} from '@parley/core'
import { maskMessage, PII_KINDS, type PiiKind } from '@parley/core/masking'
import { mapOutcome } from '../outcome/map-outcome.ts'
import { maskStream } from './mask-stream.ts'
import type { PiiVault } from './pii-vault.ts'
import { protectTool } from './protect-tool.ts'
import { createTextMask, type TextMask } from './text-mask.ts'

export interface PiiMaskOptions {
  /** Kinds of personal data to mask. @default all kinds */
  readonly kinds?: readonly PiiKind[] | undefined
  /** Stores the values and so makes masking reversible: a value becomes `[EMAIL_1]` instead of `[EMAIL]`. @default none */
  readonly vault?: PiiVault | undefined
  /** Returns the partition of a run. Runs of one partition share placeholders and can therefore see each other's values. @default the session */
  readonly partition?: ((run: Pick<RunFacts, 'sessionId' | 'scope'>) => string) | undefined
}

/** The parts of a mask. Use them together on one agent. */
export interface PiiMask {
  /** Masks user messages before they are journaled. Add it to the agent's `inputFilters`. */
  readonly inputFilter: InputFilter
  /** Masks model requests, model answers and tool results before they are shown or journaled. */
  readonly middleware: Middleware
  /** Wraps a tool so that its handler gets the real values. Other tools get the placeholders. Requires a vault. */
  protect<TInput, TOutput>(tool: Tool<TInput, TOutput>): Tool<TInput, TOutput>
  /** Restores the real values in a text for a reader who may see them, such as the user of the agent. Requires a vault. */
  restore(text: string, run: Pick<RunFacts, 'sessionId' | 'scope'>): string
  /** Removes the values of a session from the vault. Its placeholders can no longer be restored. Requires a vault. */
  forget(run: Pick<RunFacts, 'sessionId' | 'scope'>): void
}

const OPTIONS: OptionKinds<PiiMaskOptions> = {
  kinds: 'list',
  vault: 'object',
  partition: 'function',
}

/**
 * Keeps personal data out of models, events and journals. Use its parts together: the filter and the middleware on the
 * agent, and `protect` around each tool that needs the real values. The agent's own instructions are not masked.
 * @throws ParleyError `config-invalid` if an option or a kind is unknown.
 */
export function createPiiMask(options: PiiMaskOptions = {}): PiiMask {
  checkOptions('piiMask', options, OPTIONS)
  const { kinds = PII_KINDS, vault, partition = ownSession } = options
  for (const kind of kinds) {
    if (PII_KINDS.includes(kind)) continue
    const detail = `'${kind}' is unknown; known: ${PII_KINDS.join(', ')}`
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
    middleware: maskingMiddleware(maskOf),
    protect(tool) {
      requireVault(vault, 'protect')
      return protectTool(tool, maskOf)
    },
    restore(text, run) {
      requireVault(vault, 'restore')
      return maskOf(run).restore(text)
    },
    forget(run) {
      requireVault(vault, 'forget')
      vault.forget(partition(run))
    },
  }
}

function maskingMiddleware(maskOf: (run: RunFacts) => TextMask): Middleware {
  return defineMiddleware('pii-mask', run => {
    const mask = maskOf(run)
    const rewrite = (text: string): string => mask.mask(text)
    // Each message is masked once, so that other middleware can recognize the masked message by identity.
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
        return maskStream(next({ ...call, request }), mask)
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

function requireVault(vault: PiiVault | undefined, method: string): asserts vault is PiiVault {
  if (vault !== undefined) return
  throw new ParleyError({ code: 'config-invalid', path: 'piiMask.vault', detail: `is required by ${method}` })
}
