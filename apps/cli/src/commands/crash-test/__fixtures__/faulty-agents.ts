import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { toolPending } from '@parley/core'
import { agentTool, defineAgent } from '@parley/engine'
import { calling, tool, using } from './kit-parts.ts'

const done = (): string => 'done'

/** Declares idempotent, and appends each time. */
export const appender = using(
  'appender',
  tool('charge', { effect: 'idempotent', execute: () => (appendFileSync('charges.txt', 'charged 5 EUR\n'), done()) }),
)

/** Declares read, and writes. */
export const reader = using(
  'reader',
  tool('look_up', { effect: 'read', execute: async () => (await writeFile('last-search.txt', 'go'), 'found') }),
)

/** The ledger ignores a key that it has, and the key is random. */
export const randomKey = using('random-key', tool('charge', { effect: 'idempotent', execute: () => book(randomUUID()) }))

/** The key is the day. */
export const dayKey = using(
  'day-key',
  tool('charge', { effect: 'idempotent', execute: () => book(new Date().toISOString().slice(0, 10)) }),
)

function book(key: string): string {
  const ledger = existsSync('ledger.json') ? (JSON.parse(readFileSync('ledger.json', 'utf8')) as Record<string, number>) : {}
  ledger[key] = 5
  writeFileSync('ledger.json', JSON.stringify(ledger, null, 2))
  return 'booked'
}

/** The change comes after the handler has returned. */
export const background = using(
  'background',
  tool('send', {
    effect: 'once',
    execute: () => {
      setTimeout(() => appendFileSync('sent.txt', 'sent\n'), 30)
      return 'sent'
    },
  }),
)

/** Reconcile always says that the payment was made. */
export const optimist = using(
  'optimist',
  tool('pay', {
    effect: 'once',
    execute: async () => (await appendFile('paid.txt', 'paid\n'), done()),
    reconcile: () => ({ type: 'done', output: 'paid before' }),
  }),
)

const paidHere = new Set<string>()

/** Reconcile looks into the memory of the process. */
export const forgetful = using(
  'forgetful',
  tool('pay', {
    effect: 'once',
    execute: async (_, { idempotencyKey }) => {
      paidHere.add(idempotencyKey)
      await appendFile('paid.txt', 'paid\n')
      return done()
    },
    reconcile: (_, { idempotencyKey }) =>
      paidHere.has(idempotencyKey) ? { type: 'done', output: 'paid' } : { type: 'not-done' },
  }),
)

/** The order has a key, and the line for the accountant has none. */
export const halfCovered = using(
  'half-covered',
  tool('order', {
    effect: 'idempotent',
    execute: (_, { idempotencyKey }) => {
      writeFileSync(`order-${idempotencyKey.replaceAll('/', '-')}.json`, '{"item":"tea"}')
      appendFileSync('accounts.txt', 'one order\n')
      return 'ordered'
    },
  }),
)

const counter = tool('count', {
  effect: 'idempotent',
  execute: () => {
    const before = existsSync('count.txt') ? Number(readFileSync('count.txt', 'utf8')) : 0
    writeFileSync('count.txt', String(before + 1))
    return 'counted'
  },
})

/** The tool of the child agent counts each time. */
export const parent = defineAgent({
  name: 'parent',
  model: calling(['helper']),
  tools: [agentTool(using('helper', counter), { description: 'Helps.' })],
})

/** A row in a database changes each time. */
export const updater = using(
  'updater',
  tool('increment', {
    effect: 'idempotent',
    execute: () => {
      const database = new DatabaseSync('stock.db')
      database.exec('CREATE TABLE IF NOT EXISTS stock (item TEXT PRIMARY KEY, n INTEGER)')
      database.exec("INSERT INTO stock VALUES ('tea', 1) ON CONFLICT DO UPDATE SET n = n + 1")
      database.close()
      return 'incremented'
    },
  }),
)

const cart: string[] = []

/** What one tool stores, another one reads in the same process only. */
export const shopper = using(
  'shopper',
  tool('add', { effect: 'idempotent', execute: () => (cart.includes('tea') || cart.push('tea'), 'added') }),
  tool('total', { effect: 'read', execute: () => `${cart.length} items` }),
)

/** Reconcile asks for the first of two changes. */
export const firstOnly = using(
  'first-only',
  tool('ship', {
    effect: 'once',
    execute: async () => {
      appendFileSync('labels.txt', 'label\n')
      await sleep(1)
      appendFileSync('parcels.txt', 'parcel\n')
      return 'shipped'
    },
    reconcile: () => (existsSync('labels.txt') ? { type: 'done', output: 'shipped' } : { type: 'not-done' }),
  }),
)

/** Asks another system each time, and then waits for its answer. */
export const asker = using(
  'asker',
  tool('request', { effect: 'idempotent', execute: async () => (await appendFile('asked.txt', 'please\n'), toolPending()) }),
)
