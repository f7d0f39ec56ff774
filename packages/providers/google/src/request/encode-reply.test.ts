import type { ModelEvent } from '@parley/core'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { answerOf } from '../__fixtures__/answer-of.ts'
import { createGeminiDecoder } from '../answer/create-gemini-decoder.ts'
import { encodeReply } from './encode-reply.ts'

type WirePart = Record<string, unknown>

/** Decodes an answer of these parts, split into chunks after any part, and encodes the result for the next request. */
function sentBack(chunks: readonly (readonly WirePart[])[], model: string): readonly WirePart[] {
  const events: ModelEvent[] = []
  const fail = (): never => expect.unreachable()
  const context = {
    emit: (event: ModelEvent) => void events.push(event),
    parse: JSON.parse,
    reported: fail,
    broken: fail,
  }
  const decoder = createGeminiDecoder({ context, provider: 'google', model, createCallId: () => 'made' })
  for (const parts of chunks) decoder.document({ candidates: [{ content: { parts } }] })
  decoder.document({ candidates: [{ finishReason: 'STOP' }] })
  decoder.end()
  return encodeReply(answerOf(events), { provider: 'google', model })
}

/** The expected parts: adjacent texts without a signature are joined, and thoughts without one are left out. */
function normal(parts: readonly WirePart[]): readonly WirePart[] {
  const out: WirePart[] = []
  let last: WirePart | undefined
  for (const part of parts) {
    const isPlain = part['thoughtSignature'] === undefined && part['text'] !== undefined
    if (isPlain && part['text'] === '') continue
    const continues = isPlain && last !== undefined && part['thought'] === last['thought']
    if (continues) last = Object.assign(last ?? {}, { text: `${String(last?.['text'])}${String(part['text'])}` })
    else {
      const copy = { ...part }
      last = isPlain ? copy : undefined
      if (!(isPlain && part['thought'] === true)) out.push(copy)
    }
  }
  return out
}

const signature = fc.option(fc.constantFrom('a', 'b'), { nil: undefined })
const text = fc.record({ text: fc.string({ maxLength: 3 }), thought: fc.constantFrom(undefined, true), signature })
const call = fc.record({
  functionCall: fc.record({ name: fc.constant('f'), args: fc.dictionary(fc.constantFrom('x', 'y'), fc.integer()) }),
  signature,
})
const part = fc.oneof(text, call).map(({ signature, ...rest }): WirePart => {
  const fields = signature === undefined ? rest : { ...rest, thoughtSignature: signature }
  return JSON.parse(JSON.stringify(fields)) as WirePart
})

it('encodeReply sends every part back unchanged, with its signature', () => {
  fc.assert(
    fc.property(fc.array(fc.array(part, { maxLength: 4 }), { maxLength: 4 }), chunks => {
      expect(sentBack(chunks, 'gemini-2.5-flash')).toEqual(normal(chunks.flat()))
    }),
  )
})

it('encodeReply marks only the first call of an answer without signatures', () => {
  const functionCall = { name: 'f', args: {} }
  expect(sentBack([[{ functionCall }, { functionCall }]], 'gemini-3-pro-preview')).toEqual([
    { functionCall, thoughtSignature: 'skip_thought_signature_validator' },
    { functionCall },
  ])
  const signed = { functionCall, thoughtSignature: 's' }
  expect(sentBack([[signed, { functionCall }]], 'gemini-3-pro-preview')).toEqual([signed, { functionCall }])
})
