// Writes the stream of every scenario as a file of server-sent events.   node record-streams.mjs DIR
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { encodeSse } from '../index.ts'
import { SCENARIOS } from './scenarios.ts'

const [dir] = process.argv.slice(2)
mkdirSync(dir, { recursive: true })
for (const [name, stream] of Object.entries(SCENARIOS)) {
  const events = await stream()
  writeFileSync(path.join(dir, `${name.replaceAll(/\W+/g, '-')}.sse`), events.map(encodeSse).join(''))
}
