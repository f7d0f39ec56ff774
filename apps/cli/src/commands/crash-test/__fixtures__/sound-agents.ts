import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { defineTool, type Tool } from '@parley/core'
import { agentTool, defineAgent } from '@parley/engine'
import { calling, tool, using } from './kit-parts.ts'

export const clock = using('clock', tool('time', { effect: 'read', execute: () => `${new Date().toISOString()} ${process.pid}` }))

export const keyed = using(
  'keyed',
  tool('save', {
    effect: 'idempotent',
    execute: async (_, { idempotencyKey }) => {
      await writeFile(`${idempotencyKey.replaceAll('/', '-')}.json`, '{"saved":true}')
      return 'saved'
    },
  }),
)

const pay = tool('pay', { effect: 'once', execute: () => (appendFileSync('paid.txt', 'paid\n'), 'paid') })

export const payer = using('payer', pay)

const lookedUp = tool('transfer', {
  effect: 'once',
  execute: (_, { idempotencyKey }) => {
    appendFileSync('transfers.txt', `${idempotencyKey} 5 EUR\n`)
    return `transferred at ${new Date().toISOString()}`
  },
  reconcile: (_, { idempotencyKey }) => {
    const known = existsSync('transfers.txt') && readFileSync('transfers.txt', 'utf8').includes(idempotencyKey)
    return known ? { type: 'done', output: 'transferred before' } : { type: 'not-done' }
  },
})

export const careful = using('careful', lookedUp)

export const writer = using(
  'writer',
  tool('publish', {
    effect: 'idempotent',
    execute: async () => {
      const temporary = `page.html.tmp-${randomUUID()}`
      await writeFile(temporary, '<p>Hello</p>')
      await rename(temporary, 'page.html')
      return 'published'
    },
  }),
)

const pick = defineTool({ name: 'pick', description: 'Lets the user pick.', input: { type: 'object' } }) as Tool

export const polite = using('polite', pick, { ...lookedUp, name: 'transfer', permission: 'ask' })

export const lead = defineAgent({
  name: 'lead',
  model: calling(['helper'], ['publish']),
  tools: [agentTool(using('helper', lookedUp), { description: 'Helps.' }), ...(writer.tools as Tool[])],
})

export const parallel = defineAgent({
  name: 'parallel',
  model: calling(['time', 'insert', 'save'], ['time']),
  tools: [
    ...(clock.tools as Tool[]),
    ...(keyed.tools as Tool[]),
    tool('insert', {
      effect: 'idempotent',
      execute: (_, { idempotencyKey }) => {
        const database = new DatabaseSync('stock.db')
        database.exec('CREATE TABLE IF NOT EXISTS sales (key TEXT PRIMARY KEY, at TEXT)')
        database.prepare('INSERT OR IGNORE INTO sales VALUES (?, ?)').run(idempotencyKey, new Date().toISOString())
        database.close()
        return 'inserted'
      },
    }),
  ],
})
