import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { serve } from '@hono/node-server'
import Database from 'better-sqlite3'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'

const TURNS = 2
const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
process.once('disconnect', () => process.exit())
process.once('SIGTERM', () => process.exit())

const [text] = await once(process, 'message')
const frames = text
  .split('\n\n')
  .filter(frame => frame.includes('data: '))
  .map(frame => {
    const event = /^event: (.*)$/m.exec(frame)?.[1]
    const id = /^id: (.*)$/m.exec(frame)?.[1]
    return { data: frame.slice(frame.indexOf('data: ') + 6), ...(event && { event }), ...(id && { id }) }
  })
const database = new Database(path.join(folder, 'raw.db'))
database.pragma('journal_mode = wal')
database.pragma('synchronous = normal')
database.exec('create table turns (run text, turn integer, body text, primary key (run, turn)) without rowid')
const put = database.prepare('insert into turns values (?, ?, ?)')
const body = 'x'.repeat(2_048)
let runs = 0

const app = new Hono()
app.post('/process', async context => {
  await context.req.json()
  const run = `r${++runs}`
  return streamSSE(context, async stream => {
    for (const [index, frame] of frames.entries()) {
      if (index % Math.ceil(frames.length / TURNS) === 0) put.run(run, index, body)
      await stream.writeSSE(frame)
    }
  })
})
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send(`http://127.0.0.1:${port}`))
