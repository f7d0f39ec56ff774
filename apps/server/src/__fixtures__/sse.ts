import type { AgentEvent } from '@parley/agent-api'

/** An Agent API request with one question. */
export function ask(text = 'go', fields: object = {}): object {
  return { input: [{ role: 'user', content: [{ type: 'text', text }] }], ...fields }
}

/** Parses the events of a stream of server-sent events. */
export function eventsOf(text: string): AgentEvent[] {
  return text.split('\n\n').flatMap(frame => {
    const line = frame.split('\n').find(each => each.startsWith('data: '))
    return line === undefined ? [] : [JSON.parse(line.slice(6)) as AgentEvent]
  })
}

/** Reads a stream until it contains `mark`, then leaves it. */
export async function readUntil(response: Response, mark: string): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (text.includes(mark)) break
  }
  return text
}
