// Everything that the store keeps about a person is in one scope. Two calls remove it.
import { readFileSync } from 'node:fs'
import { createRuntime, defineAgent } from '@parley/engine'
import { openSqliteStore } from '@parley/sqlite'
import { scriptedModel } from '@parley/testing' // or: createOpenAI().model('gpt-5-mini') from '@parley/openai'
import Database from 'better-sqlite3'

const agent = defineAgent({ name: 'assistant', model: scriptedModel(() => 'Noted.') })
const store = await openSqliteStore({ path: 'runs.db' })
const runtime = createRuntime({ store, agents: [agent] })
await runtime.invoke('assistant', 'My street is Elm Road.', { scope: 'customer-7', sessionId: 'chat' })
const { notes } = store
if (notes === undefined) throw new Error('The store keeps no notes.')
await notes.put({ scope: 'customer-7', id: 'n1', at: Date.now(), text: 'Lives in Elm Road.' })

// #region erase
const scope = 'customer-7' // one scope for each customer
const removed = await runtime.prune({ scope, olderThanMs: 0 }) // ended runs, with their journals and inboxes
for (const { id } of await notes.list({ scope, limit: 10_000 })) await notes.remove({ scope, id })
console.log(removed, (await runtime.runs({ scope })).length) // → 1 0
// #endregion
await runtime.close()
await store[Symbol.asyncDispose]()

// #region vacuum
// SQLite keeps removed text in free pages of the file until it overwrites them, or until VACUUM writes the file again.
const database = new Database('runs.db')
database.exec('VACUUM')
database.close()
console.log(readFileSync('runs.db', 'latin1').includes('Elm Road')) // → false
// #endregion
