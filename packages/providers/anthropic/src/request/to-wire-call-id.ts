/** The id the API is shown for a call: the same one whenever it takes it, otherwise one spelled with what it takes. */
export function toWireCallId(callId: string): string {
  return callId.replaceAll(/[^a-zA-Z0-9_-]/gu, character => `_${character.codePointAt(0)?.toString(16) ?? ''}`)
}
