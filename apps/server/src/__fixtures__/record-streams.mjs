// Writes the stream of every scenario to a file.   node record-streams.mjs DIR
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { scenariosOf } from './scenarios.ts'

const [dir] = process.argv.slice(2)
mkdirSync(dir, { recursive: true })
for (const profile of ['standard', 'reference']) {
  for (const [name, stream] of Object.entries(scenariosOf(profile)))
    writeFileSync(path.join(dir, `${profile}-${name.replaceAll(/\W+/g, '-')}.sse`), await stream())
}
