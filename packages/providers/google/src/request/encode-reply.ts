import type { AssistantMessage, AssistantPart, ProviderData } from '@parley/core'
import { ownDataOf, toJsonObject } from '@parley/provider-kit'
import { generationOf, needsSignatures } from './generation-of.ts'
import { toFilePart } from './to-file-part.ts'

export interface ReplyOptions {
  readonly provider: string
  readonly model: string
}

/** Google documents this value as the replacement for a signature, for calls that another model made. */
const NO_SIGNATURE = 'skip_thought_signature_validator'

type WirePart = Record<string, unknown>

/** Converts an assistant message to parts. A signature stays on the part it arrived with; thoughts without one are left out. */
export function encodeReply({ content }: AssistantMessage, { provider, model }: ReplyOptions): readonly WirePart[] {
  const parts: WirePart[] = []
  for (const part of content) {
    const signature = signatureOf(part, { provider, model })
    const body = toWirePart(part, provider, signature !== undefined)
    if (body !== undefined) parts.push(signature === undefined ? body : { ...body, thoughtSignature: signature })
  }
  const firstCall = parts.findIndex(part => part['functionCall'] !== undefined)
  const call = parts[firstCall]
  if (call !== undefined && call['thoughtSignature'] === undefined && needsSignatures(model))
    parts[firstCall] = { ...call, thoughtSignature: NO_SIGNATURE }
  return parts
}

/** Returns the id that Gemini gave to a call; `undefined` if Gemini gave none or another provider made the call. */
export function wireIdOf(part: { readonly providerData?: ProviderData | undefined }, provider: string): unknown {
  return ownDataOf(part, provider)['id']
}

function toWirePart(part: AssistantPart, provider: string, isSigned: boolean): WirePart | undefined {
  switch (part.type) {
    case 'text':
      return part.text === '' && !isSigned ? undefined : { text: part.text }
    case 'reasoning':
      return isSigned ? { text: part.text, thought: true } : undefined
    case 'tool-call': {
      const id = wireIdOf(part, provider)
      const call = { name: part.name, args: toJsonObject(part.arguments) }
      return { functionCall: id === undefined ? call : { id, ...call } }
    }
    case 'file':
      return toFilePart(part)
    case 'opaque': {
      const own = ownDataOf(part, provider)['part']
      return own === undefined ? undefined : (own as WirePart)
    }
  }
}

function signatureOf(part: AssistantPart, { provider, model }: ReplyOptions): string | undefined {
  const { thoughtSignature, model: writer } = ownDataOf(part, provider)
  if (typeof thoughtSignature !== 'string' || typeof writer !== 'string') return undefined
  return generationOf(writer) === generationOf(model) ? thoughtSignature : undefined
}
