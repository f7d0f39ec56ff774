import type { AgentResponse } from '../schema/agent-response.ts'

/** Joins the texts of the response's messages of type `message`, without reasoning and tools. */
export function responseText(response: AgentResponse): string {
  const said = (response.output ?? []).filter(({ type, role }) => type === 'message' && role !== 'user')
  const parts = said.flatMap(({ content }) => content ?? [])
  return parts.map(part => (part.type === 'text' ? (part.text ?? '') : '')).join('')
}
