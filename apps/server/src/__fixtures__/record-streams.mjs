// Writes the stream a server answers with, for every scenario, as a file.   node record-streams.mjs DIR
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SCENARIOS } from './scenarios.ts'

const [dir] = process.argv.slice(2)
mkdirSync(dir, { recursive: true })
for (const [name, stream] of Object.entries(SCENARIOS))
  writeFileSync(path.join(dir, `${name.replaceAll(/\W+/g, '-')}.sse`), await stream())
