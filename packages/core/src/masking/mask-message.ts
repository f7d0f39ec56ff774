import type { Message } from '../schema/message.ts'
import { mapJsonText, mapStrings } from './map-strings.ts'

/** Rewrites every text in a message. Returns the message itself if nothing changes. Does not change opaque provider data. */
export function maskMessage<TMessage extends Message>(message: TMessage, rewrite: (text: string) => string): TMessage {
  return rewritten(message, rewrite) as TMessage
}

function rewritten(message: Message, rewrite: (text: string) => string): Message {
  switch (message.role) {
    case 'system': {
      const content = rewrite(message.content)
      return content === message.content ? message : { ...message, content }
    }
    case 'user':
      return withContent(
        message,
        message.content.map(part => (part.type === 'text' ? changed(part, rewrite) : part)),
      )
    case 'assistant': {
      const content = message.content.map(part => {
        if (part.type === 'text' || part.type === 'reasoning') return changed(part, rewrite)
        if (part.type !== 'tool-call') return part
        const masked = mapJsonText(part.arguments, rewrite)
        return masked === part.arguments ? part : { ...part, arguments: masked }
      })
      return withContent(message, content)
    }
    case 'tool': {
      const content = message.content.map(part => (part.type === 'text' ? changed(part, rewrite) : part))
      const structured = mapStrings(message.structured, rewrite)
      const masked = withContent(message, content)
      return structured === message.structured || structured === undefined ? masked : { ...masked, structured }
    }
  }
}

function changed<TPart extends { readonly text: string }>(part: TPart, rewrite: (text: string) => string): TPart {
  const text = rewrite(part.text)
  return text === part.text ? part : { ...part, text }
}

function withContent<TMessage extends { readonly content: readonly unknown[] }>(
  message: TMessage,
  content: TMessage['content'],
): TMessage {
  return content.every((part, index) => part === message.content[index]) ? message : { ...message, content }
}
