import { expect, it } from 'vitest'
import { encodeAssistant } from './chat/encode-assistant.ts'
import { encodeChatTool } from './chat/to-chat-request.ts'
import { encodeResponsesTool } from './responses/to-responses-request.ts'

it('both APIs mark a strict tool, and no other', () => {
  const tool = { name: 't', description: 'd', inputSchema: { type: 'object' } }
  expect(JSON.parse(encodeChatTool({ ...tool, strict: true }))).toMatchObject({ function: { name: 't', strict: true } })
  expect(encodeChatTool(tool)).not.toContain('strict')
  expect(JSON.parse(encodeResponsesTool({ ...tool, strict: true }))).toMatchObject({ strict: true })
  expect(JSON.parse(encodeResponsesTool(tool))).toMatchObject({ strict: false })
})

it('both APIs leave out an empty description', () => {
  const tool = { name: 't', description: '', inputSchema: { type: 'object' } }
  expect(encodeChatTool(tool) + encodeResponsesTool(tool)).not.toContain('description')
})

it('encodeAssistant sends invalid arguments back unchanged if the quirks say verbatim', () => {
  const message = {
    role: 'assistant' as const,
    content: [{ type: 'tool-call' as const, callId: 'c', name: 't', arguments: '{"a":' }],
  }
  const sent = (brokenArguments?: 'verbatim'): unknown =>
    (
      JSON.parse(
        encodeAssistant(message, { provider: 'p', model: 'm', quirks: { profile: 'p', brokenArguments }, open: false }),
      ) as { tool_calls: { function: { arguments: string } }[] }
    ).tool_calls[0]?.function.arguments
  expect(sent('verbatim')).toBe('{"a":')
  expect(sent()).toBe('{"unparsed":"{\\"a\\":"}')
})
