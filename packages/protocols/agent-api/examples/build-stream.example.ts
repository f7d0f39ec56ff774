// #region build
import { encodeSse, ResponseBuilder } from '@parley/agent-api'

const response = new ResponseBuilder({ sessionId: 'session-1' })
const message = response.createMessageBuilder()
const text = message.createContentBuilder('text')

const events = [
  ...text.addTextDelta('Hello'), // announces the response and the message as well
  ...text.addTextDelta(' World!'),
  ...response.completed(), // ends the text and the message first
]
console.log(events.length, events.map(encodeSse)[3]?.split('\n')[0]) // → 8 id: 3
// #endregion
