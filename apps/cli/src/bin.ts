#!/usr/bin/env node
import { checkNode } from './check-node.ts'

// Checked before any other import, because better-sqlite3 crashes without a message on older versions.
const problem = checkNode(process.versions.node)
if (problem === undefined) {
  const { main } = await import('./main.ts')
  process.exitCode = await main(process.argv.slice(2))
} else {
  process.stderr.write(`parley: ${problem}\n`)
  process.exitCode = 2
}
