import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRuntime } from '@parley/engine'
import { openServer } from '@parley/server'
import { openSqliteStore } from '@parley/sqlite'
import { scriptedAgent } from '../scripted-agent.mjs'

const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
process.once('disconnect', () => process.exit())
process.once('SIGTERM', () => process.exit())
const store = await openSqliteStore({ path: path.join(folder, 'runs.db') })
const agents = [scriptedAgent({ turns: 2, deltas: 20 })]
const server = await openServer({
  runtime: createRuntime({ agents, store }),
  port: 0,
  limits: { maxRuns: 10_000 },
})
process.send(server.url)
