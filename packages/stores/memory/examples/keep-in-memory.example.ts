// #region store
import { createMemoryStore } from '@parley/memory-store'

await using store = createMemoryStore()
await store.notes?.put({ scope: 'default', id: 'n1', at: Date.now(), text: 'Ada drinks green tea.' })
const [note] = (await store.notes?.search({ scope: 'default', query: 'tea' })) ?? []
console.log(note?.text) // → Ada drinks green tea.
// #endregion
