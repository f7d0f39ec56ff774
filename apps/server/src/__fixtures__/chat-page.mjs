// A page with a chat of the AI SDK, as an application would write it. `?api=` is the address of the server, `?chat=` the id of the
// chat; with `?resume=` the page reads the answer that is being written.
import { useChat } from '@ai-sdk/react'
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
} from 'ai'
import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'

const { searchParams: given } = new URL(location.href)
const transport = new DefaultChatTransport({ api: given.get('api') })

function Chat() {
  const chat = useChat({
    id: given.get('chat') ?? undefined,
    resume: given.has('resume'),
    transport,
    sendAutomaticallyWhen: state => {
      // The condition of the SDK skips calls of the server, and so would send before the user has decided.
      if (state.messages.at(-1)?.parts.some(part => part.state === 'approval-requested')) return false
      return (
        lastAssistantMessageIsCompleteWithToolCalls(state) || lastAssistantMessageIsCompleteWithApprovalResponses(state)
      )
    },
    onToolCall: ({ toolCall }) => {
      if (toolCall.dynamic || toolCall.toolName !== 'locate') return
      void chat.addToolOutput({ tool: 'locate', toolCallId: toolCall.toolCallId, output: { city: 'Bern' } })
    },
  })
  const { messages, status, error, addToolOutput, addToolApprovalResponse } = chat
  const answer = (id, approved, reason) => () => addToolApprovalResponse({ id, approved, reason })
  const choose = (toolCallId, given) => () => addToolOutput({ tool: 'choose', toolCallId, ...given })

  const part = (one, index) => {
    const key = { key: index }
    if (one.type === 'text') return h('p', { ...key, className: 'text' }, one.text)
    if (one.toolCallId === undefined) return null
    const name = one.toolName ?? one.type.replace(/^tool-/, '')
    const buttons = []
    if (one.state === 'approval-requested')
      buttons.push(
        h('button', { key: 'yes', onClick: answer(one.approval.id, true) }, 'Approve'),
        h('button', { key: 'deny', onClick: answer(one.approval.id, false, 'too dear') }, 'Refuse'),
      )
    if (name === 'choose' && one.state === 'input-available')
      buttons.push(
        h('button', { key: 'red', onClick: choose(one.toolCallId, { output: 'red' }) }, 'Red'),
        h('button', { key: 'no', onClick: choose(one.toolCallId, { state: 'output-error', errorText: 'too many' }) }, 'None'),
      )
    return h('div', { ...key, className: 'tool', 'data-tool': name, 'data-state': one.state, 'data-input': JSON.stringify(one.input) }, name, ...buttons)
  }
  return h(
    'main',
    null,
    h('button', { onClick: () => chat.sendMessage({ text: 'Go.' }) }, 'Send'),
    h('button', { onClick: () => chat.stop() }, 'Stop'),
    h('button', { onClick: () => chat.regenerate() }, 'Regenerate'),
    h('button', { onClick: () => chat.sendMessage({ text: 'Edited.', messageId: messages[0].id }) }, 'Edit'),
    h('output', { id: 'status' }, status),
    h('output', { id: 'error' }, error?.message ?? ''),
    messages.map(({ id, role, parts }) => h('section', { key: id, className: role }, parts.map(part))),
  )
}

createRoot(document.getElementById('root')).render(h(Chat))
