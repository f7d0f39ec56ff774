// #region model
import { fakeClock, scriptedModel } from '@parley/testing'

const model = scriptedModel([
  { toolCalls: [{ name: 'stock', input: { article: 'A-7' } }] },
  { text: 'There are 12.', chunkSize: 100 },
])

const request = { system: [], messages: [], tools: [], settings: {} }
for await (const event of model.stream(request, {})) {
  if (event.type === 'tool-call') console.log(event.name, event.arguments) // → stock {"article":"A-7"}
}
for await (const event of model.stream(request, {})) {
  if (event.type === 'text.delta') console.log(event.text) // → There are 12.
}
console.log(model.requests.length) // → 2

const clock = fakeClock()
clock.after(60_000, () => console.log('a minute later')) // → a minute later
await clock.advance(60_000)
// #endregion
