import type { Quirks } from '../quirks/quirks.ts'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const LONGEST = 40

/**
 * Returns the id that a request contains for a call: the call's own id if the server accepts it, else an id derived
 * from it.
 */
export function toWireCallId(callId: string, { toolCallIds = 'any' }: Quirks): string {
  switch (toolCallIds) {
    case 'any':
    case 'own':
      return callId
    case 'at-most-40':
      return callId.length <= LONGEST ? callId : `call_${digest(callId, 24)}`
    case 'nine-alphanumeric':
      return /^[A-Za-z0-9]{9}$/.test(callId) ? callId : digest(callId, 9)
  }
}

/** Returns letters and digits computed from the whole text. */
function digest(text: string, length: number): string {
  let out = ''
  for (let round = 0; out.length < length; round++) {
    let hash = 0x811c9dc5 ^ Math.imul(round + 1, 0x9e3779b1)
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    // The last step of murmur3: with FNV alone, similar texts have similar high bits.
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    let rest = (hash ^ (hash >>> 16)) >>> 0
    for (let i = 0; i < 4 && out.length < length; i++) {
      out += ALPHABET.charAt(rest % ALPHABET.length)
      rest = Math.floor(rest / ALPHABET.length)
    }
  }
  return out
}
