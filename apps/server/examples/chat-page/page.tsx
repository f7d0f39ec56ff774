import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, type UIMessage } from 'ai'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

const server = new URLSearchParams(location.search).get('server') ?? 'http://127.0.0.1:8080'
const api = `${server}/api/chat/assistant`
const headers = { authorization: 'Bearer a-long-and-random-key' } // a server without `keys` needs none

// The id of the chat stays in the address, so a page that is loaded again shows the same chat.
if (location.hash === '') location.hash = crypto.randomUUID()
const id = location.hash.slice(1)
const response = await fetch(`${api}/${id}/messages`, { headers })
const messages = (await response.json()) as UIMessage[]
const transport = new DefaultChatTransport({ api, headers })

function Page() {
  const chat = useChat({ id, messages, transport, resume: true })
  const [text, setText] = useState('')
  const isBusy = chat.status === 'submitted' || chat.status === 'streaming'
  const send = () => {
    void chat.sendMessage({ text })
    setText('')
  }
  return (
    <main>
      {chat.messages.map(({ id: key, role, parts }) => (
        <p key={key} className={role}>
          {parts.map(part => (part.type === 'text' ? part.text : part.type === 'dynamic-tool' ? '🔧 ' : ''))}
        </p>
      ))}
      {chat.error && <p role="alert">{chat.error.message}</p>}
      <form action={send}>
        <input aria-label="Message" value={text} onChange={event => setText(event.target.value)} />
        <button disabled={isBusy || text === ''}>Send</button>
      </form>
    </main>
  )
}

createRoot(document.querySelector('#root') as Element).render(<Page />)
