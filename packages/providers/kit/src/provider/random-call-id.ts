/** Creates an id for a tool call that a server sent without a usable one. */
export function randomCallId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`
}
